// Revocation of API keys, sessions and personal access tokens, in three processes: each
// process rejects a revoked credential within a second, even if notifications are lost. The negative control is in
// e2e/timing-controls.test.ts.

import { beforeAll, describe, expect, test } from 'vitest'
import { cloneDatabase } from '../../testbed/harness/database.ts'
import { openers } from '../../testbed/experiments/revocation/credentials.ts'
import { printFigures } from '../../testbed/experiments/outcome.ts'
import {
  faultOf,
  measureRevocation,
  variants,
  type RevocationFigures,
  type Variant,
} from '../../testbed/experiments/revocation/main.ts'

const kinds = openers.map(({ what }) => what)

/** Measures all kinds of credentials once, in the same processes; each kind has its own test. */
function measured(variant: Variant, rounds: number): (what: string) => RevocationFigures {
  let figures: readonly RevocationFigures[] = []
  beforeAll(async () => {
    const { appUrl } = await cloneDatabase()
    figures = await measureRevocation(appUrl, variant, rounds)
    printFigures({ figures })
  })
  return (wanted) => {
    const found = figures.find(({ what }) => what === wanted)
    if (!found) throw new Error(`a ${wanted} was not measured`)
    expect(found.requests).toBeGreaterThan(rounds * 20)
    return found
  }
}

describe('with notifications', () => {
  const of = measured(variants.notified, 3)
  test.each(kinds)('every process rejects a revoked %s at once', (what) => {
    expect(faultOf(of(what))).toBeUndefined()
    // Far below the cache time, so the notification caused it.
    expect(of(what).worstMs).toBeLessThan(400)
  })
})

describe('without notifications', () => {
  const of = measured(variants.unnotified, 3)
  test.each(kinds)('every process rejects a revoked %s within a second', (what) => {
    expect(faultOf(of(what))).toBeUndefined()
    // Far above the time of a notification, so there was none.
    expect(of(what).worstMs).toBeGreaterThan(100)
  })
})

describe('with a lost notification', () => {
  const of = measured(variants.interrupted, 3)
  test.each(kinds)('every process rejects a revoked %s within a second', (what) => {
    expect(faultOf(of(what))).toBeUndefined()
  })
})
