// The promise on revocation, kept by three processes of the program: a revoked
// key is refused by each within a second, whatever becomes of the notifications.

import { expect, test } from 'vitest'
import { cloneDatabase } from '../server/test/database.ts'
import { faultOf, lineOf, measureRevocation, variants, type Variant } from '../tools/revocation.ts'

async function measure(variant: Variant, rounds: number) {
  const { appUrl } = await cloneDatabase()
  const figures = await measureRevocation(appUrl, variant, rounds)
  process.stdout.write(`${lineOf(figures)}\n`)
  expect(figures.requests).toBeGreaterThan(rounds * 100)
  return figures
}

test('a revoked key is refused by every process at once when they are notified', async () => {
  const figures = await measure(variants.notified, 6)
  expect(faultOf(figures)).toBeUndefined()
  // Far below the time for which keys are held, so it was the notification.
  expect(figures.worstMs).toBeLessThan(400)
})

test('a revoked key is refused by every process within a second when nobody is notified', async () => {
  const figures = await measure(variants.unnotified, 6)
  expect(faultOf(figures)).toBeUndefined()
  // Far above what a notification takes, so there was none.
  expect(figures.worstMs).toBeGreaterThan(200)
})

test('a revoked key is refused by every process within a second when the notification is lost', async () => {
  expect(faultOf(await measure(variants.interrupted, 6))).toBeUndefined()
})

test('a process that holds keys for longer is found out', async () => {
  expect(faultOf(await measure(variants.heldTooLong, 1))).toMatch(/a revoked key was accepted for \d{4}/)
})
