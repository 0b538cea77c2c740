// Time limits of domain checks, at a small size. `npm run experiment -- verify-times` and
// `npm run experiment -- sweeper` run the full measurements. Each measurement has a negative
// control, which shows that the limit can be missed.

import { describe, expect, test } from 'vitest'
import { corpus } from '../../testbed/zones/corpus.ts'
import { cloneDatabase } from '../../testbed/harness/database.ts'
import { measureChaos } from '../../testbed/experiments/sweeper/chaos.ts'
import { measureClaimed, measureOutage } from '../../testbed/experiments/sweeper/claimed.ts'
import { measureClaims } from '../../testbed/experiments/sweeper/claims.ts'
import { timeVerify } from '../../testbed/experiments/verify-times/corpus.ts'
import { timeCorrections } from '../../testbed/experiments/verify-times/watched.ts'
import {
  correctionFault,
  correctionLine,
  verifyFault,
  verifyLine,
} from '../../testbed/experiments/verify-times/main.ts'

const print = (line: string) => void process.stdout.write(`${line}\n`)

describe('Verify', () => {
  test('responds within three seconds, whatever is wrong with the nameservers', async () => {
    const { appUrl } = await cloneDatabase()
    const times = await timeVerify(appUrl, Object.values(corpus).flat())
    print(verifyLine(times))
    expect(verifyFault(times)).toBeUndefined()
    // Dead nameservers must have been among them, otherwise this shows nothing.
    expect(Math.max(...times.map(({ ms }) => ms))).toBeGreaterThan(1000)
  })
})

describe('A record that is corrected while its owner watches', () => {
  test('is detected and verified within five seconds, at the median of many at once', async () => {
    const { appUrl } = await cloneDatabase()
    const corrections = await timeCorrections(appUrl, { domains: 20 })
    print(correctionLine(corrections))
    expect(correctionFault(corrections)).toBeUndefined()
    expect(corrections.missed).toBe(0)
  })
})

describe('The sweeper', () => {
  test('claims due timers at the same cost among many timers as among few', async () => {
    const size = { timers: 200_000, rounds: 100, isBroken: false }
    const { few, many, ratio } = await measureClaims(await cloneDatabase(), await cloneDatabase(), size)
    print(
      `claiming 100 rows: ${few.median.toFixed(2)} ms of ${few.timers}, ${many.median.toFixed(2)} ms of ${many.timers}`,
    )
    expect(ratio).toBeLessThanOrEqual(1.5)
  })

  test('reads every timer without its index (negative control)', async () => {
    const size = { timers: 200_000, rounds: 5, isBroken: true }
    const { ratio } = await measureClaims(await cloneDatabase(), await cloneDatabase(), size)
    expect(ratio).toBeGreaterThan(1.5)
  })

  test('claims further timers as fast while many are claimed, which it does not if each claim reads those (negative control)', async () => {
    const size = { timers: 40_000, claimed: 20_000, claims: 40 }
    const { perSecond } = await measureClaimed(await cloneDatabase(), { ...size, isBroken: false })
    const { perSecond: broken } = await measureClaimed(await cloneDatabase(), { ...size, isBroken: true })
    print(
      `claims of 32 rows a second with ${size.claimed} claimed: ${perSecond}, without the move of their time ${broken}`,
    )
    expect(perSecond).toBeGreaterThan(1.5 * broken)
  })

  test('claims as fast when most timers are due, which it does not if the planner knows no limit (negative control)', async () => {
    const size = { timers: 40_000, due: 34_000, claims: 40 }
    const { perSecond } = await measureOutage(await cloneDatabase(), { ...size, isBroken: false })
    const { perSecond: broken } = await measureOutage(await cloneDatabase(), { ...size, isBroken: true })
    print(`claims of 32 rows a second with ${size.due} of ${size.timers} due: ${perSecond}, without a limit ${broken}`)
    expect(perSecond).toBeGreaterThan(1.5 * broken)
  })
})

// They wait most of the time, and no limit of time is kept or missed by what runs beside them.
describe.concurrent('On a busy machine', () => {
  test('Verify exceeds the limit without a time budget (negative control)', async () => {
    const { appUrl } = await cloneDatabase()
    const times = await timeVerify(appUrl, corpus.zone.slice(0, 6), { isSlow: true, atOnce: 6 })
    expect(verifyFault(times)).toMatch(/^Verify: p95 is \d+ ms, more than 3000$/)
  })

  test('a record that is corrected is detected later if no client watches (negative control)', async () => {
    const { appUrl } = await cloneDatabase()
    const options = { domains: 4, isWatched: false, spreadMs: 500, patienceMs: 7000 }
    expect(correctionFault(await timeCorrections(appUrl, options))).toMatch(/^corrected while watched: p50 is/)
  })

  test('the sweeper skips no domain and checks none twice at once while its workers are killed', async () => {
    const chaos = await measureChaos(await cloneDatabase(), { seconds: 10, domains: 60, isBroken: false })
    print(`${chaos.kills} workers killed in ${chaos.seconds} s: ${chaos.looks} looks, ${chaos.cutOff} cut off`)
    expect(chaos).toMatchObject({ unseen: 0, atOnce: 0 })
    expect(chaos.looks).toBeGreaterThan(60)
    expect(chaos.kills).toBeGreaterThan(0)
  })

  test('the sweeper skips domains or checks them twice at once if claims have no lease (negative control)', async () => {
    const chaos = await measureChaos(await cloneDatabase(), { seconds: 8, domains: 60, isBroken: true })
    expect(chaos.unseen + chaos.atOnce).toBeGreaterThan(0)
  })
})
