// Negative controls of measurements in e2e/timing: something takes longer than it may, and the measurement says so. No limit
// of time is kept or missed by what runs beside them, so they need no machine of their own, and wait at the same time.

import { describe, expect, test } from 'vitest'
import { corpus } from '../testbed/zones/corpus.ts'
import { cloneDatabase } from '../testbed/harness/database.ts'
import { faultOf, measureMailLatency } from '../testbed/experiments/mail-latency/run.ts'
import * as revocation from '../testbed/experiments/revocation/main.ts'
import { openers } from '../testbed/experiments/revocation/credentials.ts'
import { timeVerify } from '../testbed/experiments/verify-times/corpus.ts'
import { timeCorrections } from '../testbed/experiments/verify-times/watched.ts'
import { correctionFault, verifyFault } from '../testbed/experiments/verify-times/main.ts'

describe.concurrent('The measurement reports (negative control)', () => {
  test('Verify that exceeds its limit, without a time budget', async () => {
    const { appUrl } = await cloneDatabase()
    const times = await timeVerify(appUrl, corpus.zone.slice(0, 6), { isSlow: true, atOnce: 6 })
    expect(verifyFault(times)).toMatch(/^Verify: p95 is \d+ ms, more than 3000$/)
  })

  test('a record that is corrected and detected later, if no client watches', async () => {
    const { appUrl } = await cloneDatabase()
    const options = { domains: 4, isWatched: false, spreadMs: 500, patienceMs: 7000 }
    expect(correctionFault(await timeCorrections(appUrl, options))).toMatch(/^corrected while watched: p50 is/)
  })

  test('an urgent mail that takes longer, without precedence', async () => {
    const { appUrl } = await cloneDatabase()
    const figures = await measureMailLatency(appUrl, { what: 'urgent', waiting: 60, mails: 1, isInTurn: true })
    expect(faultOf({ ...figures, stillWaiting: 1 })).toMatch(/^the mail took/)
  })

  test('the mail about a request that takes longer, without precedence', async () => {
    const { appUrl } = await cloneDatabase()
    const figures = await measureMailLatency(appUrl, { what: 'request', waiting: 80, mails: 1, isInTurn: true })
    expect(faultOf(figures)).toMatch(/^the mail took/)
  })

  test('a revoked credential that is accepted for longer, by processes that cache it for a minute', async () => {
    const { appUrl } = await cloneDatabase()
    const figures = await revocation.measureRevocation(appUrl, revocation.variants.heldTooLong, 1)
    expect(figures.map((found) => revocation.faultOf(found))).toEqual(
      openers.map(
        ({ what }) => expect.stringMatching(new RegExp(`a revoked ${what} was accepted for \\d{4}`)) as string,
      ),
    )
  })
})
