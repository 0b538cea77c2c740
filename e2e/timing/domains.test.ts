// Time limits of domain checks, at a small size. `npm run experiment -- verify-times` and
// `npm run experiment -- sweeper` run the full measurements. Each measurement has a negative
// control, which shows that the limit can be missed; those that measure a wait are in e2e/timing-controls.test.ts.

import { describe, expect, test } from 'vitest'
import { corpus } from '../../testbed/zones/corpus.ts'
import { cloneDatabase } from '../../testbed/harness/database.ts'
import { measureClaims, type ClaimGuard, type ClaimOptions } from '../../testbed/experiments/sweeper/claims.ts'
import { printFigures } from '../../testbed/experiments/outcome.ts'
import { timeVerify } from '../../testbed/experiments/verify-times/corpus.ts'
import { timeCorrections } from '../../testbed/experiments/verify-times/watched.ts'
import {
  correctionFault,
  correctionFigures,
  verifyFault,
  verifyFigures,
} from '../../testbed/experiments/verify-times/main.ts'

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

describe('The sweeper claims timers faster than it would without a guard (negative control)', () => {
  test.each<[string, Omit<ClaimOptions, 'without'>, ClaimGuard]>([
    ['among many, by the index', { timers: 200_000, claims: 40 }, 'index'],
    ['while many are claimed, which no claim reads', { timers: 40_000, claimed: 20_000, claims: 40 }, 'move'],
    ['when most are due, as the planner knows the limit', { timers: 40_000, due: 34_000, claims: 40 }, 'limit'],
  ])('%s', async (_, size, guard) => {
    const { perSecond } = await measureClaims(await cloneDatabase(), size)
    const { perSecond: broken } = await measureClaims(await cloneDatabase(), { ...size, without: guard })
    printFigures({ ...size, perSecond, broken })
    expect(perSecond).toBeGreaterThan(1.5 * broken)
  })
})
