// The promise on sessions and personal access tokens, kept by three processes of
// the program: one that was ended is refused by each within a second, whatever
// becomes of the notifications.

import { describe, expect, test } from 'vitest'
import { cloneDatabase } from '../server/test/database.ts'
import { faultOf, lineOf, measureRevocation, variants, type Variant } from '../tools/revocation.ts'
import { openers } from '../tools/session-revocation.ts'

describe.each(Object.values(openers))('a $what that was ended', (opener) => {
  const measure = async (variant: Variant, rounds: number) => {
    const { appUrl } = await cloneDatabase()
    const figures = await measureRevocation(appUrl, variant, rounds, opener)
    process.stdout.write(`${lineOf(figures)}\n`)
    expect(figures.requests).toBeGreaterThan(rounds * 100)
    return figures
  }

  test('is refused by every process at once when they are notified', async () => {
    const figures = await measure(variants.notified, 3)
    expect(faultOf(figures)).toBeUndefined()
    // Far below the time for which it is held, so it was the notification.
    expect(figures.worstMs).toBeLessThan(400)
  })

  test('is refused by every process within a second when nobody is notified', async () => {
    const figures = await measure(variants.unnotified, 3)
    expect(faultOf(figures)).toBeUndefined()
    // Far above what a notification takes, so there was none.
    expect(figures.worstMs).toBeGreaterThan(100)
  })

  test('is refused by every process within a second when the notification is lost', async () => {
    expect(faultOf(await measure(variants.interrupted, 3))).toBeUndefined()
  })

  test('is found out when a process holds it for longer', async () => {
    expect(faultOf(await measure(variants.heldTooLong, 1))).toMatch(
      new RegExp(`a revoked ${opener.what} was accepted for \\d{4}`),
    )
  })
})
