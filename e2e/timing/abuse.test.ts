// Abuse test: one project re-verifies many broken domains in a loop while another project
// needs a certificate (testbed/experiments/abuse/main.ts). Full measurement: `npm run experiment -- abuse`.

import { expect, test } from 'vitest'
import { faultsOf, measureAbuse, type AbuseFigures } from '../../testbed/experiments/abuse/main.ts'
import { printFigures } from '../../testbed/experiments/outcome.ts'
import { cloneDatabase } from '../../testbed/harness/database.ts'

const size = { domains: 200, silentShare: 0 }

test('re-verifying 200 broken domains in a loop does not delay other projects, and costs the authority few orders', async () => {
  const { appUrl } = await cloneDatabase()
  const figures = await measureAbuse(appUrl, { ...size, good: 3, everyMs: 1500 })
  printFigures(figures)
  expect(faultsOf(figures)).toEqual([])
  // Otherwise nothing was measured.
  expect(figures.failures.all).toBeGreaterThan(10)
  expect(figures.pressed.overInterface).toBeGreaterThan(10)
  expect(figures.pressed.past).toBeGreaterThan(10)
})

test('the measurement reports a good domain that is late or never live, and too many orders (negative control)', () => {
  const good: AbuseFigures = {
    domains: 1,
    seconds: 1,
    quietMs: [1000, 2000, 1500],
    besideMs: [61_000],
    pressed: { overInterface: 1, refused: 0, past: 0, failed: 0 },
    orders: { crowd: 100, good: 140, granted: 300 },
    failures: { all: 4, names: 1, worstPerHour: 4 },
    busy: 0,
    errors: [],
  }
  expect(faultsOf(good)).toEqual([])
  expect(faultsOf({ ...good, besideMs: [1000, 62_000] })).toHaveLength(1)
  expect(faultsOf({ ...good, besideMs: [Number.POSITIVE_INFINITY] })).toHaveLength(1)
  expect(faultsOf({ ...good, orders: { crowd: 101, good: 140, granted: 300 } })).toHaveLength(1)
  expect(faultsOf({ ...good, errors: ['no luck'] })).toHaveLength(1)
})
