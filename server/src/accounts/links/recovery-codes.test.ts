// Recovery codes: what they look like, and that every way of writing one is the same code.

import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codeDigest, newCode } from './recovery-codes.ts'

test('a code holds all 80 bits, in four groups of letters and digits that look different', () => {
  expect(newCode(() => new Uint8Array(10))).toBe('0000-0000-0000-0000')
  expect(newCode(() => new Uint8Array(10).fill(255))).toBe('zzzz-zzzz-zzzz-zzzz')
  const byBytes = fc.uint8Array({ minLength: 10, maxLength: 10 })
  fc.assert(
    fc.property(byBytes, byBytes, (one, other) => {
      const isSame = Buffer.compare(one, other) === 0
      expect(newCode(() => one) === newCode(() => other)).toBe(isSame)
      expect(newCode(() => one)).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/)
    }),
  )
})

test('a code is the same in capitals, without hyphens, with spaces, and with letters for digits', () => {
  const code = newCode(randomBytes)
  const written = [code.toUpperCase(), code.replaceAll('-', ''), ` ${code.replaceAll('-', ' – ')} `]
  for (const text of written) expect(codeDigest(text)).toEqual(codeDigest(code))
  expect(codeDigest('O0Il-1111-1111-1111')).toEqual(codeDigest('0011-1111-1111-1111'))
  expect(codeDigest(newCode(randomBytes))).not.toEqual(codeDigest(code))
})
