import { expect, test } from 'vitest'
import { newId, newRequestId } from './ids.io.ts'

test('a request id is a version 7 UUID that begins with the time', () => {
  const before = Date.now()
  const id = newRequestId()
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const time = Number.parseInt(id.replace('-', '').slice(0, 12), 16)
  expect(time).toBeGreaterThanOrEqual(before)
  expect(time).toBeLessThanOrEqual(Date.now())
})

test('an id carries its kind and never repeats', () => {
  expect(newId('key')).toMatch(/^key_[0-9a-f]{24}$/)
  expect(new Set(Array.from({ length: 1000 }, () => newId('key'))).size).toBe(1000)
})
