// Orders from before requests had stages: on `/v1` they are the same after the migration, byte for byte.

import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { orderStatuses } from '@petstore-platform/contract/orders'
import { migrate } from '../../src/foundation/postgres/migrate.io.ts'
import { openDatabase } from '../../src/foundation/postgres/postgres.io.ts'
import { orderJson } from '../../src/orders/json.ts'
import { list } from '../../src/orders/order-queries.ts'
import { inProjectOf, type ProjectId } from '../../src/projects/scope.io.ts'

const directory = join(import.meta.dirname, '../../migrations')
const STAGES = '0038-request-stages.sql'
const project = 7n as ProjectId

/** The migrations up to this one, with another text of it if there is one. */
async function folderUpTo(last: string, text?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-orders-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const name of await readdir(directory)) if (name <= last) await cp(join(directory, name), join(folder, name))
  if (text !== undefined) await writeFile(join(folder, last), text)
  return folder
}

/** What `/v1` shows before and after, and the rows after. */
async function migrated(text?: string) {
  const name = `orders_${process.pid}_${crypto.randomUUID().slice(0, 8)}`
  const urlOf = (role: string, of: string) => `postgresql://${role}@127.0.0.1:${inject('postgresPort')}/${of}`
  const maker = new pg.Client(urlOf('petstore_owner', 'postgres'))
  await maker.connect()
  await maker.query(`create database ${name}`)
  await maker.end()
  await migrate(urlOf('petstore_owner', name), { directory: await folderUpTo('0037-platform-names.sql') })

  const app = new pg.Client(urlOf('petstore_app', name))
  await app.connect()
  await app.query(`select set_config('petstore.projects', $1, false)`, [`{${project}}`])
  for (const [index, status] of [...orderStatuses, 'placed'].entries()) {
    await app.query(
      `with pet as (
         insert into pets (project_id, name, category_id, status) values ($1, 'Rex', 1, 'pending') returning id
       )
       insert into orders (project_id, pet_id, status, ship_date, expires_at, decided_at)
       select $1, id, $2, case when $2 = 'delivered' then now() end,
         case when $3 < 5 then now() + interval '5 days' end, case when $2 <> 'placed' then now() end
       from pet`,
      [project, status, index],
    )
  }
  const database = openDatabase({ url: urlOf('petstore_app', name), poolMax: 1, onError: () => {} })
  const shown = async () => {
    const page = { before: 2n ** 63n - 1n, count: 100 }
    return (await inProjectOf(database)(project, (db) => list(db, project, page))).map(orderJson).join('\n')
  }
  const before = await shown()
  const { rows: held } = await app.query('select id, expires_at from orders where status = $1 order by id', ['placed'])
  await migrate(urlOf('petstore_owner', name), { directory: await folderUpTo(STAGES, text) })
  const after = await shown()
  const { rows } = await app.query<Record<string, unknown>>(
    'select id, status, stage, stage_before, is_holding, held_until from orders order by id',
  )
  await app.end()
  await database.close()
  return { before, after, rows, held }
}

test('every status is the same on /v1 after the migration; what was placed is new, and holds until its end', async () => {
  const { before, after, rows, held } = await migrated()
  expect(before.split('\n')).toHaveLength(6)
  expect(after).toBe(before)
  expect(rows.map(({ status, stage, is_holding }) => [status, stage, is_holding])).toEqual([
    ['placed', 'new', true],
    ['approved', 'approved', false],
    ['delivered', 'completed', false],
    ['declined', 'declined', false],
    ['expired', 'expired', false],
    ['placed', 'new', true],
  ])
  const until = rows
    .filter(({ status }) => status === 'placed')
    .map(({ id, held_until }) => ({ id, expires_at: held_until }))
  expect(until).toEqual(held)
})

test('a migration that maps one status wrongly is found (negative control)', async () => {
  const text = await readFile(join(directory, STAGES), 'utf8')
  const wrong = text
    .replace("when 'delivered' then 'completed'", "when 'delivered' then 'approved'")
    .replace(
      'update orders\nset stage',
      "update orders\nset status = case status when 'delivered' then 'approved' else status end, stage",
    )
  expect(wrong).not.toBe(text)
  const { before, after } = await migrated(wrong)
  expect(after).not.toBe(before)
})
