import { expect, test } from 'vitest'
import { heldUntil } from './held-until.ts'

const at = (time: string) => Date.parse(`2026-11-19T${time}Z`)
const requestedAt = at('14:02:10')

test('while a link may be valid, no other is mailed, until the whole minute after it has expired', () => {
  for (const now of [requestedAt, at('14:32:09')])
    expect(heldUntil({ requestedAt, minutes: 30 }, now)).toBe(at('14:33:00'))
})

test('a link that has expired, or that keeps no other from being mailed, holds nothing', () => {
  expect(heldUntil({ requestedAt, minutes: 30 }, at('14:32:10'))).toBeUndefined()
  expect(heldUntil({ requestedAt, minutes: 0 }, requestedAt)).toBeUndefined()
})
