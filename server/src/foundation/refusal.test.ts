import { expect, test } from 'vitest'
import { Refusal, bodyOf, quoted } from './refusal.ts'

test('the body of a refusal is code, message and status, and nothing else', () => {
  expect(bodyOf(new Refusal('not_found'))).toBe(
    '{"code":"not_found","message":"The requested resource could not be found.","status":404}',
  )
})

test('a message has at most 1,024 characters', () => {
  expect(JSON.parse(bodyOf(new Refusal('invalid_field', 'x'.repeat(5000)))).message).toHaveLength(1024)
})

test("the caller's text is quoted with at most 64 characters and without control characters", () => {
  expect(quoted('a'.repeat(100))).toHaveLength(66)
  expect(quoted('a\r\nb\u001b[31m\u202e\ud800')).toBe("'a\\u000d\\u000ab\\u001b[31m\\u202e\ufffd'")
})
