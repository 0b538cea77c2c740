// Time to go live and time to removal of a domain (testbed/experiments/go-live/main.ts,
// testbed/experiments/removal/main.ts), on real nameservers, a real authority and real servers
// in front of the edges, measured by external visitors. Both at a small size; the full
// measurements are `npm run experiment -- go-live` and `npm run experiment -- removal`.

import { expect, test } from 'vitest'
import { cloneDatabase } from '../../testbed/harness/database.ts'
import { goLiveFault, goLiveFigures } from '../../testbed/experiments/go-live/main.ts'
import { printFigures } from '../../testbed/experiments/outcome.ts'
import { timeGoLive, type Journey } from '../../testbed/experiments/go-live/run.ts'
import { removalFault, removalFigures } from '../../testbed/experiments/removal/main.ts'
import { timeRemovals } from '../../testbed/experiments/removal/run.ts'

test('a domain is served over HTTPS within seconds after its DNS is fixed', async () => {
  const { appUrl } = await cloneDatabase()
  const measured = await timeGoLive(appUrl, { domains: 8, spacingMs: 400 })
  printFigures(goLiveFigures(measured))
  expect(measured.journeys).toHaveLength(8)
  // The median of eight on a shared machine means little: the full measurement limits it to three seconds.
  expect(goLiveFault(measured, { p50: 6000, p95: 15_000 })).toBeUndefined()
})

test('the measurement reports a domain that is late or never live, and a visitor that trusts any issuer (negative control)', () => {
  const journey = { hostname: 'www.shop-0.test', editMs: 1, seen: 1, verified: 1, stored: 1, deployed: 1 }
  const faultOf = (served: readonly (number | null)[], stranger = 0) => {
    const journeys = served.map((ms): Journey => ({ ...journey, served: ms, asked: 1, why: 'EPROTO' }))
    return goLiveFault({ journeys, stranger })
  }
  expect(faultOf([100, 3000, 10_000])).toBeUndefined()
  expect(faultOf([100, 3001, 3001])).toBe('p50 is 3001 ms, more than 3000')
  expect(faultOf([100, 100, 10_001])).toBe('p95 is 10001 ms, more than 10000')
  expect(faultOf([100, null])).toBe('www.shop-0.test was never served: EPROTO')
  expect(faultOf([100], 200)).toBe('visitors do not look at who has issued a certificate')
  expect(faultOf([])).toBe('nothing was measured')
})

const REMOVALS = 10

test('a removed domain is not served after the response; an edge that misses the removal is reported (negative control)', async () => {
  const { appUrl } = await cloneDatabase()
  const options = { removals: REMOVALS + 1, edges: 2, names: 3, watchMs: 400, sabotagedFrom: REMOVALS }
  const measured = await timeRemovals(appUrl, options)
  const kept = { ...measured, outcomes: measured.outcomes.slice(0, REMOVALS) }
  const figures = removalFigures(kept)
  printFigures(figures)
  expect(removalFault(kept)).toBeUndefined()
  expect(figures.removals).toBe(REMOVALS)
  expect(figures.resumedSessions).toBe(0)
  // Adding a domain again costs no certificate order.
  expect(figures.orders).toBe(3)

  expect(removalFault({ outcomes: measured.outcomes.slice(REMOVALS) })).toMatch(
    /was served to who asked after the answer, \d+ times on edge-1/,
  )
})
