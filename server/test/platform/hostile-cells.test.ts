// Imports whose cells are made to cost time, with the processes of the program: the worker does other things meanwhile, and an
// import that takes too long fails alone.

import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestPlatform } from '../../../testbed/harness/platform.ts'
import { judgeConfined, openRowJudge } from '../../src/imports/judge-process.io.ts'
import type { OpenRowJudge } from '../../src/imports/row-judge.ts'
import { readSheet } from '../../src/imports/spreadsheet/process.io.ts'
import type { RunningWork } from '../../src/program/work.ts'
import { reviewer, startReviewWork } from './import-review.ts'

const platform = await startTestPlatform()
const errors: Error[] = []
let openJudge: OpenRowJudge = openRowJudge
let work: RunningWork
beforeAll(async () => {
  work = await startReviewWork(platform, errors, { readSheet, openRowJudge: (opening) => openJudge(opening) })
})
afterAll(() => work.stop())

const MS = 5
/** A turn of the event loop takes a hundredth of it; one of the cells below took more before cells were bounded. */
const TURN_MS_MAX = 1000

/**
 * The longest turn of the event loop, in milliseconds of the processor: what other programs of a busy machine take does not
 * count.
 */
async function longestTurn<Result>(task: () => Promise<Result>): Promise<{ result: Result; longest: number }> {
  let longest = 0
  let last = process.threadCpuUsage()
  const probe = setInterval(() => {
    const { user, system } = process.threadCpuUsage(last)
    longest = Math.max(longest, (user + system) / 1000)
    last = process.threadCpuUsage()
  }, MS)
  try {
    return { result: await task(), longest }
  } finally {
    clearInterval(probe)
  }
}

const LENGTH = 9980
const lines = (...rows: string[][]) => rows.map((row) => `${row.join(';')}\n`).join('')
const hostile = [1, 2, 3, 4].map((row) => [
  `R${row}`,
  'Dogs',
  `a${' '.repeat(LENGTH)}b`,
  `${', '.repeat(2000)}b`,
  `1${' 1'.repeat(2000)}b`,
  `\u0316\u0301`.repeat(2000),
  `${','.repeat(9000)}b:`,
])
const file = lines(
  ['Name', 'Type', 'Born', 'Weight', 'Fee', 'Sex', 'Photos'],
  ...hostile,
  // Most rows have the same number of commas: none.
  ...Array.from({ length: 6 }, () => ['Rex', 'Dogs', '2020-01-01', '12 kg', '250 EUR', 'male', 'rex.jpg']),
)
const fields = { Born: 'born', Weight: 'weightKilograms', Fee: 'fee', Sex: 'sex', Photos: 'photos' }

test('cells that are made to cost time stop neither the worker nor the service', async () => {
  const wizard = reviewer(platform, await platform.owner())
  const { result, longest } = await longestTurn(async () => {
    const mapped = await wizard.map(await wizard.read(file), {}, fields)
    const edited = await wizard.put(mapped.id, 2, 2, `a${' '.repeat(LENGTH)}b`)
    return { mapped, edited, applied: await wizard.apply(mapped, 'skip') }
  })
  process.stdout.write(`the longest turn of the event loop took ${Math.round(longest)} ms\n`)
  expect(result.mapped.counts).toMatchObject({ create: 6, problem: 4 })
  expect(result.edited.json).toMatchObject({ outcome: 'problem' })
  expect(result.applied).toMatchObject({ state: 'succeeded', added: 6 })
  expect(longest).toBeLessThan(TURN_MS_MAX)
  expect(errors).toEqual([])
})

test('a turn of the event loop that takes so long is noticed (negative control)', async () => {
  const { longest } = await longestTurn(async () => {
    '\u0316\u0301'.repeat(30_000).normalize('NFD')
    await new Promise((resolve) => setTimeout(resolve, 2 * MS))
  })
  expect(longest).toBeGreaterThan(TURN_MS_MAX)
})

test('no transaction waits while rows are judged for a review', async () => {
  const wizard = reviewer(platform, await platform.owner())
  const observer = new pg.Client({ connectionString: platform.test.database.appUrl })
  await observer.connect()
  const waiting = async () => {
    const { rowCount } = await observer.query(
      `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
    )
    return rowCount
  }
  let judged = 0
  openJudge = async (opening) => {
    const judge = await openRowJudge(opening)
    return {
      ...judge,
      async judge(rows) {
        // Those of other work end; one that waits for this would not.
        await expect.poll(waiting).toBe(0)
        judged += rows.length
        return judge.judge(rows)
      },
    }
  }
  expect(await wizard.map(await wizard.read(file), {}, fields)).toMatchObject({ state: 'reviewing' })
  openJudge = openRowJudge
  await observer.end()
  expect(judged).toBe(10)
})

test('an import whose rows take too long fails with this reason, and the next one is judged', async () => {
  const wizard = reviewer(platform, await platform.owner())
  openJudge = (opening) => judgeConfined({ resident: 256 * 1_048_576, milliseconds: 1 }, opening)
  const late = await wizard.map(await wizard.read(file), {}, fields)
  expect(late).toMatchObject({ state: 'failed', reason: 'The rows of the file take too long to be understood.' })
  openJudge = openRowJudge
  expect(await wizard.map(await wizard.read(file), {}, fields)).toMatchObject({ state: 'reviewing' })
  expect(errors).toEqual([])
})
