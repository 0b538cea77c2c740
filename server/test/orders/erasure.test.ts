// How an operator erases what a visitor entered: the statements of docs/operations.md, run as the document has them.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/foundation/postgres/postgres.io.ts'
import { createProject } from '../../src/projects/projects.io.ts'
import { asOwner, cloneDatabase } from '../../../testbed/harness/database.ts'
import { asProject } from '../v1/responses.ts'
import { ben, reserving } from './reservations.ts'

const clone = await cloneDatabase()
const database = openDatabase({ url: clone.appUrl, poolMax: 2, onError: () => {} })
afterAll(() => database.close())
const { addAnimal, reserve } = reserving(clone, database)

const document = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8')
const [, statements = ''] = /```sql\n(begin;[^`]*update orders[^`]*)```/.exec(document) ?? []

test("the documented statements erase a visitor's data in one project, and nothing else", async () => {
  const visitors = [ben, { ...ben, name: 'Mia' }]
  const [here, elsewhere] = await Promise.all(
    ['willow-street', 'other-street'].map((slug) => createProject(database, { slug, name: slug })),
  )
  if (here === undefined || elsewhere === undefined) throw new Error('no project')
  for (const project of [here, elsewhere])
    for (const visitor of visitors) await reserve(project, await addAnimal(project), visitor)

  const stored = (project: typeof here) =>
    asProject(clone, project, async (client) => {
      const { rows } = await client.query<Record<string, string>>(
        'select visitor_name, visitor_contact, message from orders where project_id = $1 order by id',
        [project],
      )
      return rows.map((row) => Object.values(row).join('|'))
    })
  const before = await stored(elsewhere)
  expect(before).toEqual(visitors.map(({ name, contact, message }) => `${name}|${contact}|${message}`))
  expect(await stored(here)).toEqual(before)

  await asOwner(clone, (client) => client.query(statements))
  expect(await stored(here)).toEqual(['||', before[1]])
  expect(await stored(elsewhere)).toEqual(before)
})
