// The experiments mail-latency and mail-request at a size for CI. Their negative controls are in e2e/timing-controls.test.ts.

import { expect, test } from 'vitest'
import { cloneDatabase } from '../../testbed/harness/database.ts'
import { faultOf, measureMailLatency } from '../../testbed/experiments/mail-latency/latency.ts'
import * as request from '../../testbed/experiments/mail-request/request.ts'

test('an urgent mail is usually at the relay within two seconds, however many notifications wait', async () => {
  const { appUrl } = await cloneDatabase()
  const figures = await measureMailLatency(appUrl, { waiting: 2000, urgent: 20 })
  process.stdout.write(`mail: ${JSON.stringify(figures)}\n`)
  // The slowest of twenty is a stall of the machine, if there is one; at full size it counts.
  expect(faultOf({ ...figures, p99Ms: figures.p50Ms })).toBeUndefined()
})

test('the mail about a request is at the relay within five seconds, however many other mails wait', async () => {
  const { appUrl } = await cloneDatabase()
  const figures = await request.measureMailRequest(appUrl, { waiting: 1000, requests: 20 })
  process.stdout.write(`mail: ${JSON.stringify(figures)}\n`)
  expect(request.faultOf(figures)).toBeUndefined()
})
