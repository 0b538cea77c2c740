import { expect, test } from 'vitest'
import { ObjectsUnavailable } from '../objects.ts'
import { Unavailable } from '../postgres/postgres.io.ts'
import { Refusal } from '../refusal.ts'
import { errorKindOf, refusalOf } from './error-kind.io.ts'

const withCode = (code: string) => Object.assign(new Error('secret'), { code })

test.each([
  ['a refusal', new Refusal('wrong_state', 'As it is.'), 'refusal', 'wrong_state'],
  ['an outage', new Unavailable(new Error('secret')), 'outage', 'service_unavailable'],
  ['an outage of the store of files', new ObjectsUnavailable('secret'), 'outage', 'service_unavailable'],
  ['an undecodable target', withCode('FST_ERR_BAD_URL'), 'bad_target', 'not_found'],
  ['a large body', withCode('FST_ERR_CTP_BODY_TOO_LARGE'), 'body_too_large', 'malformed_request'],
  ['a wrong type', withCode('FST_ERR_CTP_INVALID_MEDIA_TYPE'), 'wrong_type', 'malformed_request'],
  ['another fault of a body', withCode('FST_ERR_CTP_EMPTY_JSON_BODY'), 'bad_body', 'malformed_request'],
  ['an error of the database', withCode('42P01'), 'bug', 'internal_error'],
  ['a thrown text', 'secret', 'bug', 'internal_error'],
])('%s is known by its kind, and shows nothing of its cause', (_, error, kind, code) => {
  expect(errorKindOf(error)).toBe(kind)
  expect(refusalOf(error).code).toBe(code)
  expect(refusalOf(error).message).not.toContain('secret')
})

test('an outage invites to retry', () => {
  expect(refusalOf(new Unavailable(new Error('gone'))).headers).toEqual({ 'Retry-After': '1' })
})
