// The promise on keys, sessions and personal access tokens, kept by three processes of
// the program: one that was revoked is refused by each within a second, whatever becomes
// of the notifications.

import { beforeAll, describe, expect, test } from 'vitest'
import { cloneDatabase } from '../testbed/harness/database.ts'
import { openers, type Opener } from '../testbed/experiments/revocation/credentials.ts'
import {
  faultOf,
  lineOf,
  measureRevocation,
  variants,
  type RevocationFigures,
  type Variant,
} from '../testbed/experiments/revocation/main.ts'

const kinds = openers.map(({ what }) => what)

async function measure(
  variant: Variant,
  rounds: number,
  of: readonly Opener[] = openers,
): Promise<RevocationFigures[]> {
  const { appUrl } = await cloneDatabase()
  const figures = await measureRevocation(appUrl, variant, rounds, of)
  for (const found of figures) process.stdout.write(`${lineOf(found)}\n`)
  return figures
}

/** All of them are measured once, by the same processes; each has a test of its own. */
function measured(variant: Variant, rounds: number): (what: string) => RevocationFigures {
  let figures: readonly RevocationFigures[] = []
  beforeAll(async () => {
    figures = await measure(variant, rounds)
  })
  return (wanted) => {
    const found = figures.find(({ what }) => what === wanted)
    if (!found) throw new Error(`a ${wanted} was not measured`)
    expect(found.requests).toBeGreaterThan(rounds * 100)
    return found
  }
}

describe('when every process is notified', () => {
  const of = measured(variants.notified, 3)
  test.each(kinds)('a revoked %s is refused by all of them at once', (what) => {
    expect(faultOf(of(what))).toBeUndefined()
    // Far below the time for which it is held, so it was the notification.
    expect(of(what).worstMs).toBeLessThan(400)
  })
})

describe('when nobody is notified', () => {
  const of = measured(variants.unnotified, 3)
  test.each(kinds)('a revoked %s is refused by all of them within a second', (what) => {
    expect(faultOf(of(what))).toBeUndefined()
    // Far above what a notification takes, so there was none.
    expect(of(what).worstMs).toBeGreaterThan(100)
  })
})

describe('when the notification is lost', () => {
  const of = measured(variants.interrupted, 3)
  test.each(kinds)('a revoked %s is refused by all of them within a second', (what) => {
    expect(faultOf(of(what))).toBeUndefined()
  })
})

test.each(openers)('A process that holds a $what for longer is found out', async (opener) => {
  const [found] = await measure(variants.heldTooLong, 1, [opener])
  expect(found && faultOf(found)).toMatch(new RegExp(`a revoked ${opener.what} was accepted for \\d{4}`))
})
