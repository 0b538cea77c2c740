// Password hashes: their parameters, what matches them, and that a flood of passwords is
// processed a few at a time.

import { describe, expect, test } from 'vitest'
import type { Refusal } from '../../foundation/refusal.ts'
import { createPasswords } from './password.io.ts'

const passwords = createPasswords()
const turn = { isKnown: false, group: '192.0.2.1' }

describe('a password hash', () => {
  test('is argon2id with 19 MiB, two passes and a salt of its own', async () => {
    const [one, two] = [await passwords.hash('correct horse', turn), await passwords.hash('correct horse', turn)]
    for (const kept of [one, two]) {
      expect(kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    }
    expect(one).not.toBe(two)
  })

  test.each([
    ['the same', 'correct horse', true],
    ['another', 'correct house', false],
    ['the same with a blank', 'correct horse ', false],
    ['the same in another case', 'Correct horse', false],
  ])('matches %s: %o', async (_, tried, isMatch) => {
    expect(await passwords.matches(tried, await passwords.hash('correct horse', turn), turn)).toBe(isMatch)
  })

  test('matches the same characters however they were typed', async () => {
    expect(await passwords.matches('e\u0301\ufb01Å', await passwords.hash('éfiÅ', turn), turn)).toBe(true)
  })

  test('matches with the cost that it was made with', async () => {
    // The reference implementation: echo -n password | argon2 somesalt -id -t 2 -k 256 -p 1 -l 32 -e
    const kept = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
    expect(await passwords.matches('password', kept, turn)).toBe(true)
    expect(await passwords.matches('passwort', kept, turn)).toBe(false)
  })

  test('matches nothing for a missing account', async () => {
    expect(await passwords.matches('', undefined, turn)).toBe(false)
    expect(await passwords.matches('correct horse', undefined, turn)).toBe(false)
  })
})

test('an unmatchable hash has the form of every other one, and no cost', async () => {
  const kept = passwords.unmatchable()
  expect(kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(await passwords.matches('', kept, turn)).toBe(false)
})

test('passwords beyond the queue limit are rejected at once, and those in the queue are processed', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 9 }, () => passwords.hash('correct horse', turn)))
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  // Two run, and four of one group wait; on a slow machine fewer.
  expect(refused.length).toBeGreaterThanOrEqual(3)
  expect(outcomes.length - refused.length).toBeGreaterThanOrEqual(2)
  for (const { reason } of refused)
    expect(reason).toMatchObject({
      code: 'service_unavailable',
      headers: { 'Retry-After': '2' },
    } satisfies Partial<Refusal>)
})
