// The experiment mail-latency at a size for CI. Its negative controls are in e2e/timing-controls.test.ts.

import { expect, test } from 'vitest'
import { faultOf, measureMailLatency } from '../../testbed/experiments/mail-latency/run.ts'
import { printFigures } from '../../testbed/experiments/outcome.ts'
import { cloneDatabase } from '../../testbed/harness/database.ts'

test('an urgent mail is usually at the relay within two seconds, however many notifications wait', async () => {
  const { appUrl } = await cloneDatabase()
  const figures = await measureMailLatency(appUrl, { what: 'urgent', waiting: 2000, mails: 20 })
  printFigures(figures)
  // The slowest of twenty is a stall of the machine, if there is one; at full size it counts.
  expect(faultOf({ ...figures, slowMs: figures.p50Ms })).toBeUndefined()
})

test('the mail about a request is at the relay within five seconds, however many other mails wait', async () => {
  const { appUrl } = await cloneDatabase()
  const figures = await measureMailLatency(appUrl, { what: 'request', waiting: 1000, mails: 20 })
  printFigures(figures)
  expect(faultOf(figures)).toBeUndefined()
})
