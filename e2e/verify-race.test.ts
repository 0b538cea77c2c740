// Two projects choose Verify for the same name at the same moment, from several
// processes (testbed/experiments/verify-race/main.ts). The whole measurement is `npm run experiment -- verify-race`.

import { expect, test } from 'vitest'
import { faultOf, lineOf, raceVerify } from '../testbed/experiments/verify-race/main.ts'
import { cloneDatabase } from '../testbed/harness/database.ts'

const CONCURRENT = 50

test('of two projects that verify one name at once, one has it, and all others are told why not', async () => {
  const { appUrl } = await cloneDatabase()
  const figures = await raceVerify(appUrl, { rounds: 10, concurrent: CONCURRENT })
  process.stdout.write(`${lineOf(figures)}\n`)
  expect(figures.rounds.map((round) => faultOf(round, CONCURRENT))).toEqual(Array(10).fill(undefined))
})

test('without holding the name, it would be taken several times, and that is noticed', async () => {
  const { appUrl } = await cloneDatabase()
  const { rounds } = await raceVerify(appUrl, { rounds: 3, concurrent: CONCURRENT, isBroken: true })
  expect(rounds.some(({ taken }) => taken > 1)).toBe(true)
  expect(rounds.some((round) => faultOf(round, CONCURRENT) !== undefined)).toBe(true)
})
