// Race for a hostname: two projects choose Verify for the same name at the same moment, in
// several processes (testbed/experiments/verify-race/main.ts). Full measurement:
// `npm run experiment -- verify-race`.

import { expect, test } from 'vitest'
import { printFigures } from '../testbed/experiments/outcome.ts'
import { faultOf, raceVerify } from '../testbed/experiments/verify-race/main.ts'
import { cloneDatabase } from '../testbed/harness/database.ts'

const CONCURRENT = 50

test('exactly one of two projects that verify a name at once gets it, and the other gets the reason', async () => {
  const { appUrl } = await cloneDatabase()
  const figures = await raceVerify(appUrl, { rounds: 10, concurrent: CONCURRENT })
  printFigures(figures)
  expect(figures.rounds.map((round) => faultOf(round, CONCURRENT))).toEqual(Array(10).fill(undefined))
})

test('without a lock, a name is taken more than once (negative control)', async () => {
  const { appUrl } = await cloneDatabase()
  // Which of them meet depends on the machine: a few more rounds, until two have.
  const rounds: Awaited<ReturnType<typeof raceVerify>>['rounds'][number][] = []
  for (let run = 0; run < 10 && !rounds.some(({ taken }) => taken > 1); run += 1)
    rounds.push(...(await raceVerify(appUrl, { rounds: 3, concurrent: CONCURRENT, isBroken: true })).rounds)
  expect(rounds.some(({ taken }) => taken > 1)).toBe(true)
  expect(rounds.some((round) => faultOf(round, CONCURRENT) !== undefined)).toBe(true)
})
