// What cells of strangers cost: whatever they contain, a row is judged in a fraction of a second.

import { describe, expect, test } from 'vitest'
import { CELL_LENGTH_MAX, importFields, type ImportField } from '@petstore-platform/contract/platform/import-shapes'
import { shortText, SHORT_LENGTH_MAX } from '@petstore-platform/contract/platform/spelled-words'
import { photosIn } from './photos.ts'
import { rowJudge } from './row-judge.ts'
import { tableBuilder } from './spreadsheet/table.ts'

const TODAY = '2026-06-15'
const reading = { matchBy: 'none', dateOrder: 'dmy', currency: 'EUR', defaultCategory: null } as const
const opening = (fields: readonly ImportField[]) => ({
  fields,
  reading,
  categories: [{ id: 1n, name: 'Dogs' }],
  today: TODAY,
  decisions: [],
})
const judged = async (fields: readonly ImportField[], cells: readonly string[]) =>
  (await rowJudge(opening(fields)).judge([{ cells, found: { target: undefined } }]))[0]

const filled = (text: string, length = CELL_LENGTH_MAX) => text.repeat(Math.ceil(length / text.length)).slice(0, length)
const pieces = [' ', '\n', '1', '1-', '1 ', ', ', ',', '(', '[', 'a', 'a ', 'ca ', 'no ', '½', '¼', '-', '/ ', 'é', '€']
/** The marks of a letter are put in order before it is compared, each behind those that come before it. */
const MARKS = '\u0316\u0301'
const attacks = [...pieces, MARKS].flatMap((piece) => [filled(piece), `a${filled(piece, CELL_LENGTH_MAX - 2)}b`])

/** For a table, or for a row of all fields; a few milliseconds are usual. */
const MS_MAX = 700

/** Of this thread, in milliseconds: other processes do not count. */
async function costOf(work: () => unknown): Promise<number> {
  const began = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(began)
  return (user + system) / 1000
}

describe('hostile cells', () => {
  test('of all fields at once are judged without delay, as long as cells may be and as long as words may be', async () => {
    const costly: string[] = []
    for (const attack of attacks)
      for (const text of [
        attack,
        attack.slice(0, SHORT_LENGTH_MAX - 2),
        `${attack.slice(0, SHORT_LENGTH_MAX - 2)} b`,
      ]) {
        const cells = importFields.map(() => text)
        if ((await costOf(() => judged(importFields, cells))) > MS_MAX) costly.push(JSON.stringify(text.slice(0, 9)))
      }
    expect(costly).toEqual([])
  })

  test('are read as a table without delay, as titles and as values', async () => {
    const costly: string[] = []
    for (const attack of attacks) {
      const rows = [1, 2].map((row) => ({ row, cells: Array.from({ length: 8 }, () => attack) }))
      const cost = await costOf(() => {
        const table = tableBuilder(rows, TODAY)
        table.add(rows)
        table.built()
      })
      if (cost > MS_MAX) costly.push(JSON.stringify(attack.slice(0, 9)))
    }
    expect(costly).toEqual([])
  })

  test('what is quadratic is noticed (negative control)', async () => {
    expect(await costOf(() => filled(MARKS, 5 * CELL_LENGTH_MAX).normalize('NFD'))).toBeGreaterThan(MS_MAX)
  })
})

describe('a date, a number or a word', () => {
  test('that is too long is a problem of its cell, and no value to decide', async () => {
    const judge = rowJudge(opening(['name', 'category', 'born', 'status', 'story']))
    const long = filled('word ', SHORT_LENGTH_MAX + 10)
    const cells = ['Rex', 'Dogs', long, long, filled('A long story. ', 2000)]
    const [row] = await judge.judge([{ cells, found: { target: undefined } }])
    const reason = 'This cannot be read: it has more than 255 characters.'
    expect(row).toMatchObject({ outcome: 'problem', problems: [2, 3].map((column) => ({ column, reason })) })
    expect((await judge.values()).map(({ field }) => field)).toEqual(['category'])
  })

  test('may be surrounded by spaces, and contain runs of them', async () => {
    const blanks = ' '.repeat(2000)
    const cells = ['Rex', `Dogs${blanks}`, `${blanks}3${blanks}March\n2020`]
    expect(await judged(['name', 'category', 'born'], cells)).toMatchObject({
      outcome: 'create',
      next: { category: { id: 1n }, profile: { born: { date: '2020-03-03', precision: 'day' } } },
    })
    expect(shortText(` a${blanks}b\t`)).toBe('a b')
    expect(shortText(filled('a', SHORT_LENGTH_MAX))).toHaveLength(SHORT_LENGTH_MAX)
    expect(shortText(filled('a', SHORT_LENGTH_MAX + 1))).toBeUndefined()
  })
})

test.each([
  ['a.jpg, b.jpg,c.jpg', ['a.jpg', 'b.jpg', 'c.jpg']],
  ['my dog.jpg; other.png|third.webp\nlast.jpg', ['my dog.jpg', 'other.png', 'third.webp', 'last.jpg']],
  ['https://a.example/x,y.jpg', ['https://a.example/x', 'y.jpg']],
  ['https://a.example/1,2:3.jpg', ['https://a.example/1,2:3.jpg']],
  ['https://a.example/1.jpg,https://a.example/2.jpg', ['https://a.example/1.jpg', 'https://a.example/2.jpg']],
  ['https://a.example/1.jpg,  https://a.example/2.jpg', ['https://a.example/1.jpg', 'https://a.example/2.jpg']],
  ['https://a.example/1.jpg   http://a.example/2.jpg', ['https://a.example/1.jpg', 'http://a.example/2.jpg']],
])('the photos of %j', (cell, names) => {
  expect(photosIn([cell]).map(({ name }) => name)).toEqual(names)
})
