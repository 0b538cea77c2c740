import { expect, test } from 'vitest'
import { HttpFailure } from '../../foundation/http/http-client.io.ts'
import { answerSentence, errorCodeOf, failureSentence } from './s3-answers.ts'

const answer = (status: number, code?: string, region?: string) => ({
  status,
  region,
  body: Buffer.from(code === undefined ? '' : `<Error><Code>${code}</Code><Message>secret</Message></Error>`),
})

test.each([
  [403, 'SignatureDoesNotMatch', 'S3_SECRET_ACCESS_KEY does not belong to S3_ACCESS_KEY_ID.'],
  [403, 'InvalidAccessKeyId', 'does not know S3_ACCESS_KEY_ID.'],
  [403, 'AccessDenied', 'must be allowed to list the bucket'],
  [404, 'NoSuchBucket', 'S3_BUCKET does not exist.'],
  [403, 'RequestTimeTooSkewed', 'The clocks'],
  [301, 'PermanentRedirect', 'check S3_ENDPOINT and S3_REGION'],
  [307, undefined, 'check S3_ENDPOINT and S3_REGION'],
])('%i %s tells the operator what to check', (status, code, hint) => {
  const sentence = answerSentence('PUT', answer(status, code))
  expect(sentence).toContain(`answered PUT with ${status}`)
  expect(sentence).toContain(hint)
  expect(sentence).not.toContain('secret')
})

test('the region that a store names is passed on, unless it is none', () => {
  expect(answerSentence('GET', answer(301, 'PermanentRedirect', 'eu-west-1'))).toContain('(its region is eu-west-1)')
  expect(answerSentence('GET', answer(301, 'PermanentRedirect', '<b>'))).not.toContain('<b>')
})

test('an answer without a code, or with text in its place, shows none of it', () => {
  expect(answerSentence('GET', answer(500))).toBe('The S3 store answered GET with 500.')
  expect(errorCodeOf(answer(404, 'No such key'))).toBeUndefined()
  expect(errorCodeOf({ body: Buffer.from('<html>404</html>') })).toBeUndefined()
})

test('a store that does not answer is described by the reason', () => {
  expect(failureSentence(new HttpFailure('late'))).toContain('in time')
  expect(failureSentence(new HttpFailure('broken'))).toContain('broke off')
  expect(failureSentence(new HttpFailure('too_large'))).toContain('too large')
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  expect(failureSentence(new HttpFailure('network', refused))).toBe('S3_ENDPOINT: ECONNREFUSED.')
})
