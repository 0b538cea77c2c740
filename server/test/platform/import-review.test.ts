// Imports that are reviewed, on `/platform/v1`: nothing is written before they are applied, then all of it is; and an undo
// leaves the animals as they were, except those that were changed or requested since.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestPlatform } from '../../../testbed/harness/platform.ts'
import type { RunningWork } from '../../src/program/work.ts'
import { reviewer, startReviewWork, type Details } from './import-review.ts'

const platform = await startTestPlatform()
const errors: Error[] = []
let work: RunningWork
beforeAll(async () => void (work = await startReviewWork(platform, errors)))
afterAll(() => work.stop())

const sheet = [
  'Type;Name;Breed;Gender;Age;Status;Good with kids?;Fee;Chip',
  'Dogs;Rex;Labrador mix;m;2 yrs;available;yes;250,00 €;276 09 8100123456',
  'Dogs;Mia;Beagle;f;6 months;Adopted;no;;',
  'Cats;Tom;;male;;Reserved;?;80 €;',
].join('\r\n')

describe('a spreadsheet with semicolons', () => {
  test('is read, mapped, matched, reviewed and applied', async () => {
    const shop = await platform.owner()
    const wizard = reviewer(platform, shop)
    const read = await wizard.read(sheet)
    expect(read).toMatchObject({ state: 'mapping', lines: 3, table: { format: 'csv', delimiter: ';', rows: 3 } })
    expect(read.table?.columns.map(({ field }) => field)).toEqual([
      'category',
      'name',
      'breed',
      'sex',
      'age',
      'status',
      'goodWithChildren',
      'fee',
      'chipNumber',
    ])
    const mapped = await wizard.map(read)
    expect(mapped.counts).toEqual({ create: 3, update: 0, unchanged: 0, problem: 0, skip: 0 })
    expect(mapped.values).toContainEqual({
      field: 'category',
      value: 'Dogs',
      rows: 2,
      action: 'create',
      to: 'Dogs',
      isProposed: true,
    })
    expect(await wizard.exported()).toMatch(/^id,name.*\r\n$/)

    const applied = await wizard.apply(mapped)
    expect(applied).toMatchObject({ state: 'succeeded', added: 3, changed: 0 })
    const [rex] = await wizard.rows(applied)
    const { json } = await shop.send('GET', wizard.at(`/animals/${rex?.animalId}`))
    expect(json).toMatchObject({
      name: 'Rex',
      status: 'available',
      profile: {
        breed: 'Labrador mix',
        isMixed: true,
        sex: 'male',
        goodWithChildren: 'yes',
        fee: { amount: 25_000, currency: 'EUR' },
        chipNumber: '276098100123456',
        born: { precision: 'year', isEstimated: true },
      },
    })
    expect((await shop.send('GET', wizard.at('/categories'))).json).toMatchObject([{ name: 'Cats' }, { name: 'Dogs' }])
  })

  test('is undone: its animals and its categories are gone', async () => {
    const shop = await platform.owner()
    const wizard = reviewer(platform, shop)
    const before = await wizard.exported()
    const applied = await wizard.apply(await wizard.map(await wizard.read(sheet)))
    expect(applied.undoUntil).not.toBeNull()
    expect(await wizard.undo(applied)).toMatchObject({ state: 'undone', keptCount: 0 })
    expect(await wizard.exported()).toBe(before)
    expect((await shop.send('GET', wizard.at('/categories'))).json).toEqual([])
  })

  test('is matched as its owner says, and rows are left out where a value says so', async () => {
    const wizard = reviewer(platform, await platform.owner())
    const mapped = await wizard.map(await wizard.read(sheet))
    const matched = await wizard.match(mapped, [
      { field: 'category', value: ' dogs', action: 'create', to: 'Hounds' },
      { field: 'category', value: 'Cats', action: 'skip', to: null },
      { field: 'status', value: 'Adopted', action: 'none', to: null },
    ])
    expect(matched.counts).toEqual({ create: 1, update: 0, unchanged: 0, problem: 1, skip: 1 })
    const [problem] = await wizard.rows(matched, '?outcome=problem')
    expect(problem).toMatchObject({ row: 3, problems: [{ column: 5, reason: '"Adopted" has no match yet.' }] })
    const edited = await wizard.put(matched.id, 3, 5, 'sold')
    expect(edited.json).toMatchObject({ row: 3, outcome: 'create', problems: [] })
    expect((await wizard.show(matched.id)).counts).toMatchObject({ create: 2, problem: 0 })
    expect(await wizard.apply(matched)).toMatchObject({ added: 2 })
  })
})

describe('an export', () => {
  test('changes nothing when it is imported again and matched by id', async () => {
    const shop = await platform.owner()
    const wizard = reviewer(platform, shop)
    await wizard.apply(await wizard.map(await wizard.read(sheet)))
    const profile = (await wizard.rows(await latest(wizard, shop)))[0]?.animalId
    const { json } = await shop.send('GET', wizard.at(`/animals/${profile}`))
    const odd = {
      ...(json as { profile: object }).profile,
      headline: '=1+1, "quoted"; ',
      story: "Two\n\nparagraphs\r\nand '=three",
      traits: ['calm, mostly', 'kind'],
      weightGrams: 12_345,
      externalId: '007',
      born: { date: '2020-02-29', precision: 'day', isEstimated: true },
      inCareSince: '2024-01-02',
      coat: 'wire',
      isFeatured: true,
      internalNotes: '-5 degrees',
    }
    expect((await shop.send('PUT', wizard.at(`/animals/${profile}/profile`), odd)).status).toBe(200)
    const exported = await wizard.exported()
    const again = await wizard.map(await wizard.read(exported, 'export.csv'))
    expect(again.reading?.matchBy).toBe('id')
    expect(again.table?.preset).toBe('petstore')
    expect(again.table?.columns.filter(({ field }) => field === null)).toEqual([])
    expect(again.counts).toEqual({ create: 0, update: 0, unchanged: 3, problem: 0, skip: 0 })
    expect(await wizard.apply(again)).toMatchObject({ state: 'succeeded', added: 0, changed: 0 })
    expect(await wizard.exported()).toBe(exported)
  })

  test('that is not matched adds every animal again (negative control)', async () => {
    const wizard = reviewer(platform, await platform.owner())
    await wizard.apply(await wizard.map(await wizard.read(sheet)))
    const again = await wizard.map(
      await wizard.read(await wizard.exported()),
      { matchBy: 'none' },
      { externalId: null },
    )
    expect(again.counts).toMatchObject({ create: 3, unchanged: 0 })
  })

  test('has its four columns without the option, as scripts know it', async () => {
    const shop = await platform.owner()
    expect((await shop.send('GET', `/projects/${shop.slug}/animals.csv`)).text).toBe('id,name,categoryId,status\r\n')
  })
})

describe('an import that is matched by externalId', () => {
  const first = 'Code,Name,Species,Notes\nA1,Rex,Dog,old\nA2,Mia,Cat,old\n'
  const second = 'Code,Name,Species\nA1,Rexi,Dog\nA2,Mia,Cat\nA3,Tom,Cat\n'

  test('updates what it finds, adds the rest, and keeps the values of columns that it does not have', async () => {
    const shop = await platform.owner()
    const wizard = reviewer(platform, shop)
    await wizard.apply(await wizard.map(await wizard.read(first)))
    const before = await wizard.exported()
    const mapped = await wizard.map(await wizard.read(second))
    expect(mapped.counts).toEqual({ create: 1, update: 1, unchanged: 1, problem: 0, skip: 0 })
    expect((await wizard.rows(mapped, '?outcome=update'))[0]?.changes).toEqual([
      { field: 'name', before: 'Rex', after: 'Rexi' },
    ])
    const applied = await wizard.apply(mapped)
    expect(applied).toMatchObject({ added: 1, changed: 1 })
    expect(await wizard.exported()).toContain('A1,')
    expect((await wizard.exported()).match(/old/g)).toHaveLength(2)
    expect(await wizard.undo(applied)).toMatchObject({ state: 'undone', keptCount: 0 })
    expect(await wizard.exported()).toBe(before)
  })

  test('is undone except for animals that were changed since, which are listed', async () => {
    const shop = await platform.owner()
    const wizard = reviewer(platform, shop)
    const applied = await wizard.apply(await wizard.map(await wizard.read(first)))
    const [rex, mia] = await wizard.rows(applied)
    await shop.send('PATCH', wizard.at(`/animals/${rex?.animalId}`), { name: 'Rexi' })
    const undone = await wizard.undo(applied)
    expect(undone).toMatchObject({ keptCount: 1, kept: [{ animalId: rex?.animalId, name: 'Rexi', reason: 'changed' }] })
    expect((await shop.send('GET', wizard.at(`/animals/${rex?.animalId}`))).status).toBe(200)
    expect((await shop.send('GET', wizard.at(`/animals/${mia?.animalId}`))).status).toBe(404)
  })

  test('finds rows that cannot both be right', async () => {
    const wizard = reviewer(platform, await platform.owner())
    const mapped = await wizard.map(await wizard.read('Code,Name,Species\nA1,Rex,Dog\nA1,Mia,Dog\n,,Dog\n'))
    expect(mapped.counts).toMatchObject({ create: 1, problem: 2 })
    const problems = await wizard.rows(mapped, '?outcome=problem')
    expect(problems.map(({ problems: [one] }) => one?.reason)).toEqual([
      'Row 2 has the same value.',
      'A name is required.',
    ])
    // A change of an identifier concerns other rows, so all of them are judged again.
    await wizard.put(mapped.id, 2, 0, 'A9')
    expect((await wizard.settled(mapped.id)).counts).toMatchObject({ create: 2, problem: 1 })
    const answer = await platformRefusal(wizard, mapped)
    expect(answer).toContain('wrong_state')
    expect(await wizard.apply(mapped, 'skip')).toMatchObject({ added: 2 })
  })
})

test('a row of an animal that came in the future has a problem in that cell, and the others have none', async () => {
  const wizard = reviewer(platform, await platform.owner())
  const mapped = await wizard.map(await wizard.read('Name,Species,Intake\nRex,Dog,2099-01-01\nMia,Cat,2024-05-03\n'))
  expect(mapped.counts).toMatchObject({ create: 1, problem: 1 })
  const [row] = await wizard.rows(mapped, '?outcome=problem')
  expect(row?.problems).toEqual([{ column: 2, reason: expect.stringContaining('not in the future') }])
})

test('an import that cannot be read says why, and one that is discarded is gone', async () => {
  const shop = await platform.owner()
  const wizard = reviewer(platform, shop)
  const old = await wizard.read(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0]))
  expect([old.state, old.reason]).toEqual(['failed', expect.stringContaining('old Excel')])
  // A file of no bytes cannot be sent; these are what programs write for an empty sheet.
  for (const blank of ['\r\n', ' \r\n,,\r\n', '\uFEFF']) {
    const empty = await wizard.read(Buffer.from(blank))
    expect([empty.state, empty.reason]).toEqual(['failed', expect.stringMatching(/^This file is empty\./)])
  }
  const read = await wizard.read(sheet)
  expect((await shop.send('DELETE', wizard.at(`/imports/${read.id}`))).status).toBe(204)
  expect((await wizard.show(read.id)).state).toBe('discarded')
  expect((await shop.send('POST', wizard.at(`/imports/${read.id}/apply`), { onBadLine: 'skip' })).status).toBe(409)
})

test('no worker has reported an error', () => expect(errors).toEqual([]))

type Wizard = ReturnType<typeof reviewer>

async function platformRefusal(wizard: Wizard, mapped: Details): Promise<string> {
  return wizard.apply(mapped, 'refuse').then(
    () => 'applied',
    (error: Error) => error.message,
  )
}

async function latest(
  wizard: Wizard,
  shop: { send: (method: string, path: string) => Promise<{ json: unknown }> },
): Promise<Details> {
  const [last] = (await shop.send('GET', wizard.at('/imports'))).json as Details[]
  if (!last) throw new Error('there is no import')
  return wizard.show(last.id)
}
