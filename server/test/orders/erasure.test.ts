// How what a visitor entered is erased: automatically, some time after the request has ended without a home; and by an
// operator, with the statements of docs/operations.md, run as the document has them.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { AccountId } from '../../src/accounts/account-queries.ts'
import { openDatabase } from '../../src/foundation/postgres/postgres.io.ts'
import { addNote, eraseVisitor, move, withdraw } from '../../src/orders/advance.io.ts'
import { erasureWork } from '../../src/orders/erasure.io.ts'
import { findManaged } from '../../src/orders/order-queries.ts'
import { createProject } from '../../src/projects/projects.io.ts'
import { asOwner, cloneDatabase } from '../../../testbed/harness/database.ts'
import type { ProjectId } from '../../src/projects/scope.io.ts'
import { claimTimersOf } from '../foundation/claim-timers.ts'
import { asProject } from '../v1/responses.ts'
import { ben, reserving } from './reservations.ts'

const clone = await cloneDatabase()
const database = openDatabase({ url: clone.appUrl, poolMax: 2, onError: () => {} })
afterAll(() => database.close())
const { addAnimal, reserve, inProject, age, auditEvents } = reserving(clone, database)

const document = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8')
const [, statements = ''] = /```sql\n(begin;[^`]*update orders[^`]*)```/.exec(document) ?? []

test("the documented statements erase a visitor's data in one project, and nothing else", async () => {
  const visitors = [ben, { ...ben, name: 'Mia' }].map((visitor) => ({ ...visitor, phone: '+44 20 7946 0958' }))
  const [here, elsewhere] = await Promise.all(
    ['willow-street', 'other-street'].map((slug) => createProject(database, { slug, name: slug })),
  )
  if (here === undefined || elsewhere === undefined) throw new Error('no project')
  for (const project of [here, elsewhere])
    for (const visitor of visitors) await reserve(project, await addAnimal(project), visitor)

  const stored = (project: typeof here) =>
    asProject(clone, project, async (client) => {
      const { rows } = await client.query<Record<string, string>>(
        'select visitor_name, visitor_contact, visitor_phone, message, answers::text from orders where project_id = $1 order by id',
        [project],
      )
      return rows.map((row) => Object.values(row).join('|'))
    })
  const before = await stored(elsewhere)
  expect(before).toEqual(
    visitors.map(({ name, contact, message }) => `${name}|${contact}|+44 20 7946 0958|${message}|[]`),
  )
  expect(await stored(here)).toEqual(before)

  await asOwner(clone, (client) => client.query(statements))
  expect(await stored(here)).toEqual(['||||[]', before[1]])
  expect(await stored(elsewhere)).toEqual(before)
})

describe('the sweep of a project', () => {
  const account = 'acc_000000000000000000000001' as AccountId
  const deps = { inProject }
  const DAY = 86_400
  const sweep = (project: ProjectId, days = 90) =>
    erasureWork({ inProject, now: Date.now }, days).work({
      kind: 'visitor_erasure',
      project,
      id: 'all',
      fence: 1n,
      attempts: 1,
    })
  let projects = 0
  const newProject = () => createProject(database, { slug: `sweep-${(projects += 1)}`, name: 'Shelter' })

  /** A request that has ended, with a note, so many days ago. */
  async function ended(project: ProjectId, end: 'declined' | 'withdrawn' | 'handed_over', daysAgo: number) {
    const { id } = await reserve(project, await addAnimal(project), { ...ben, phone: '+44 20 7946 0958' })
    await addNote(deps, { project, account }, id, 'Lives in Oak Street.')
    if (end === 'withdrawn') await withdraw(deps, project, id)
    else {
      const decline = { reason: 'not_a_match' as const, text: 'Oak Street has no garden.' }
      await move(deps, { project, account }, id, { fact: end, decline: end === 'declined' ? decline : undefined })
    }
    await age(project, id, daysAgo * DAY, 'decided_at')
    return id
  }
  const visitorOf = async (project: ProjectId, id: bigint) => {
    const row = await inProject(project, (db) => findManaged(db, project, id))
    return row && [row.visitorName, row.visitorContact, row.message, row.notes, row.erasedAfterDays]
  }
  const kept = [ben.name, ben.contact, ben.message, 1, null]

  test('erases what ended without a home 90 days ago, and what members noted; the rest is kept', async () => {
    const project = await newProject()
    const old = [await ended(project, 'declined', 91), await ended(project, 'withdrawn', 90)]
    const young = await ended(project, 'declined', 89)
    const completed = await ended(project, 'handed_over', 4000)
    const { id: open } = await reserve(project, await addAnimal(project))
    // The next one is due in a day.
    expect(Math.round(((await sweep(project)) ?? 0) / 3600)).toBe(24)

    for (const id of old) expect(await visitorOf(project, id)).toEqual(['', '', '', 0, 90])
    const [declined] = await Promise.all(old.map((id) => inProject(project, (db) => findManaged(db, project, id))))
    expect([declined?.decline, declined?.visitorPhone]).toEqual([{ reason: 'not_a_match' }, ''])
    for (const id of [young, completed]) expect(await visitorOf(project, id)).toEqual(kept)
    expect(await visitorOf(project, open)).toEqual([...kept.slice(0, 3), 0, null])
    expect((await auditEvents(project, old[0] ?? 0n)).at(-1)).toBe('petstore order_erased')

    await age(project, young, 90 * DAY, 'decided_at')
    expect(await sweep(project)).toBeUndefined()
    expect(await visitorOf(project, young)).toEqual(['', '', '', 0, 90])
    expect(await sweep(project)).toBeUndefined()
  })

  test('comes by a timer, which is set when a request ends and not postponed by the next one', async () => {
    const project = await newProject()
    await ended(project, 'declined', 0)
    const dueAt = async () => {
      const { rows } = await asProject(clone, project, (client) =>
        client.query<{ due: string }>(
          `select due_at::text as due from due_directory where kind = 'visitor_erasure' and project_id = $1`,
          [project],
        ),
      )
      return rows.map(({ due }) => due)
    }
    const first = await dueAt()
    expect(first).toHaveLength(1)
    // A worker is processing it when the next one ends: what it finishes with its token is not the end.
    const [claimed] = await database.run(claimTimersOf, 'visitor_erasure', project)
    await ended(project, 'withdrawn', 0)
    expect(await dueAt()).toEqual(first)
    const [again] = await database.run(claimTimersOf, 'visitor_erasure', project)
    expect(Number(again?.fence)).toBe(Number(claimed?.fence) + 2)
  })

  test('finishes many in parts, and follows the period of the operator', async () => {
    const project = await newProject()
    await asProject(clone, project, async (client) => {
      await client.query(
        `with animal as (
           insert into pets (project_id, name, category_id, status) values ($1, 'Rex', 1, 'available') returning id
         )
         insert into orders (project_id, pet_id, status, stage, visitor_name, decided_at)
         select $1, animal.id, 'expired', 'expired', 'Ben', now() - interval '40 days'
         from animal, generate_series(1, 250)`,
        [project],
      )
    })
    const left = async () =>
      (
        await asProject(clone, project, (client) =>
          client.query(`select 1 from orders where project_id = $1 and visitor_name <> ''`, [project]),
        )
      ).rows.length
    await sweep(project, 90)
    expect(await left()).toBe(250)
    expect(await sweep(project, 30)).toBe(1)
    expect(await left()).toBe(50)
    expect(await sweep(project, 30)).toBeUndefined()
    expect(await left()).toBe(0)
  })

  test('leaves alone what the visitor has erased; such a request cannot be reopened', async () => {
    const project = await newProject()
    const id = await ended(project, 'declined', 1)
    await eraseVisitor(deps, project, id)
    await expect(move(deps, { project, account }, id, { fact: 'reopened' })).rejects.toMatchObject({
      code: 'wrong_state',
    })
    await age(project, id, 100 * DAY, 'decided_at')
    expect(await sweep(project)).toBeUndefined()
    expect(await visitorOf(project, id)).toEqual(['', '', '', 0, null])
  })
})
