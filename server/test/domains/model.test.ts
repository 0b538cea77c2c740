// The ownership model matches the real SQL, as a random walk (testbed/experiments/ownership-walk/walk.ts), and
// for every order of events (testbed/experiments/ownership-model/main.ts) in CI's own step.
// Each negative control breaks a rule on one side: the walk must detect it, or it would
// prove nothing.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { walkOwnership } from '../../../testbed/experiments/ownership-walk/walk.ts'
import { openDatabase, type Database } from '../../src/foundation/postgres/postgres.io.ts'
import { cloneDatabase } from '../../../testbed/harness/database.ts'

let database: Database
beforeAll(async () => {
  const { appUrl } = await cloneDatabase()
  database = openDatabase({ url: appUrl, poolMax: 4, onError: () => {} })
})
afterAll(() => database.close())

test('2,000 random steps of three projects leave every hostname with the holder that the model predicts', async () => {
  const walks = await Promise.all([11, 12].map((seed) => walkOwnership(database, { steps: 1000, seed })))
  expect(walks.map(({ violation }) => violation)).toEqual([null, null])
  // Hostnames were indeed taken, and taken over.
  for (const { takes, moves } of walks) expect([takes > 20, moves > 0]).toEqual([true, true])
})

test.each([
  [21, 'claim'],
  [22, 'leftover'],
  [23, 'background'],
  [24, 'sighting'],
  [25, 'guard'],
] as const)('walk %i detects a model with a mistake about %s (negative control)', async (seed, mistake) => {
  const { violation } = await walkOwnership(database, { steps: 3000, seed, mistake })
  expect(violation?.what).toBeDefined()
})

test.each([
  [31, 'token_generation'],
  [32, 'generation'],
  [33, 'proof'],
  [34, 'background'],
] as const)('walk %i detects SQL with a broken %s (negative control)', async (seed, sabotage) => {
  const { violation } = await walkOwnership(database, { steps: 3000, seed, sabotage })
  expect(violation?.what).toBeDefined()
})
