// Password hashes: their parameters, what matches them, and that a flood of passwords is
// processed a few at a time.

import { describe, expect, test } from 'vitest'
import { Refusal } from '../foundation/refusal.ts'
import { createPasswords } from './password.io.ts'

const passwords = createPasswords()

describe('a password hash', () => {
  test('is argon2id with 19 MiB, two passes and a salt of its own', async () => {
    const [one, two] = [await passwords.hash('correct horse'), await passwords.hash('correct horse')]
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
    expect(await passwords.matches(tried, await passwords.hash('correct horse'))).toBe(isMatch)
  })

  test('matches the same characters however they were typed', async () => {
    expect(await passwords.matches('e\u0301\ufb01Å', await passwords.hash('éfiÅ'))).toBe(true)
  })

  test('matches with the cost that it was made with', async () => {
    // The reference implementation: echo -n password | argon2 somesalt -id -t 2 -k 256 -p 1 -l 32 -e
    const kept = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
    expect(await passwords.matches('password', kept)).toBe(true)
    expect(await passwords.matches('passwort', kept)).toBe(false)
  })

  test('matches nothing for a missing account', async () => {
    expect(await passwords.matches('', undefined)).toBe(false)
    expect(await passwords.matches('correct horse', undefined)).toBe(false)
  })
})

test('passwords beyond the queue limit are rejected at once, and those in the queue are processed', async () => {
  const few = createPasswords({ atOnce: 1, waitingMax: 2 })
  await few.matches('x', undefined)
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => few.hash('correct horse')))
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused.length).toBe(2)
  for (const { reason } of refused)
    expect(reason).toMatchObject({ code: 'service_unavailable' } satisfies Partial<Refusal>)
})
