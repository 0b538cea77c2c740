// Time limits of domain checks, at a small size. `npm run experiment -- verify-times` and
// `npm run experiment -- sweeper` run the full measurements. Each measurement has a negative
// control, which shows that the limit can be missed; those that measure a wait are in e2e/timing-controls.test.ts.

import { describe, expect, test } from 'vitest'
import { corpus } from '../../testbed/zones/corpus.ts'
import { cloneDatabase } from '../../testbed/harness/database.ts'
import { measureClaimed, measureOutage } from '../../testbed/experiments/sweeper/claimed.ts'
import { measureClaims } from '../../testbed/experiments/sweeper/claims.ts'
import { printFigures } from '../../testbed/experiments/outcome.ts'
import { timeVerify } from '../../testbed/experiments/verify-times/corpus.ts'
import { timeCorrections } from '../../testbed/experiments/verify-times/watched.ts'
import {
  correctionFault,
  correctionFigures,
  verifyFault,
  verifyFigures,
} from '../../testbed/experiments/verify-times/main.ts'

const print = (line: string) => void process.stdout.write(`${line}\n`)

describe('Verify', () => {
  test('responds within three seconds, whatever is wrong with the nameservers', async () => {
    const { appUrl } = await cloneDatabase()
    const times = await timeVerify(appUrl, Object.values(corpus).flat())
    printFigures(verifyFigures(times))
    expect(verifyFault(times)).toBeUndefined()
    // Dead nameservers must have been among them, otherwise this shows nothing.
    expect(Math.max(...times.map(({ ms }) => ms))).toBeGreaterThan(1000)
  })
})

describe('A record that is corrected while its owner watches', () => {
  test('is detected and verified within five seconds, at the median of many at once', async () => {
    const { appUrl } = await cloneDatabase()
    const corrections = await timeCorrections(appUrl, { domains: 20 })
    printFigures(correctionFigures(corrections))
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
