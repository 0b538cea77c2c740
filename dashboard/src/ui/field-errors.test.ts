import { PlatformError } from '@petstore-platform/contract/platform/client'
import { describe, expect, test } from 'vitest'
import { faultsFrom, missingIn, spanWords } from './field-errors.ts'

const refusal = (code: string, message: string, headers = {}) =>
  new PlatformError({ code, message, status: 400 }, new Headers(headers))

describe('a refusal', () => {
  test('that names a field of the form is shown next to it', () => {
    const refused = refusal('invalid_field', "'next' must have 10 to 256 characters.")
    expect(faultsFrom(refused, ['current', 'next'])).toEqual({ next: 'This must have 10 to 256 characters.' })
  })

  test('that names a field which the form does not have is shown below it, in full', () => {
    const refused = refusal('invalid_field', "'response' is not a passkey.")
    expect(faultsFrom(refused, ['label'])).toEqual({ form: "'response' is not a passkey." })
  })

  test('that asks to wait shows how long, and never too short', () => {
    const refused = refusal('rate_limited', 'Too many attempts. Retry in 61 s.', { 'Retry-After': '61' })
    expect(faultsFrom(refused, ['email']).form).toContain('please wait 2 minutes, then')
    expect(spanWords(1)).toBe('one second')
    expect(spanWords(59)).toBe('59 seconds')
    expect(spanWords(60)).toBe('one minute')
  })
})

test('Only white space counts as empty', () => {
  expect(missingIn({ name: ' ', email: 'mia@shop.example' })).toEqual({ name: 'Please fill this in.' })
})
