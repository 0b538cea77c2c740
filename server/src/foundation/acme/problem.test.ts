import fc from 'fast-check'
import { expect, test } from 'vitest'
import { problemFrom, retryAfterMsFrom, silence, isSecondaryValidation, rateLimitOf } from './problem.ts'

const now = Date.parse('2026-11-15T08:00:00Z')
const from = (body: unknown, status = 400, retryAfter: string | null = null) =>
  problemFrom({ status, body, retryAfter }, now)
const acme = (type: string) => `urn:ietf:params:acme:error:${type}`

test('a problem document keeps its type, its detail, its subproblems and the time to wait', () => {
  const body = {
    type: acme('compound'),
    detail: 'Two names were refused',
    subproblems: [
      { type: acme('caa'), detail: 'CAA', identifier: { type: 'dns', value: 'a.test' } },
      { type: acme('rejectedIdentifier'), detail: 'policy' },
    ],
  }
  expect(from(body, 403, '120')).toEqual({
    type: 'compound',
    detail: 'Two names were refused',
    status: 403,
    subproblems: [
      { type: 'caa', detail: 'CAA', hostname: 'a.test' },
      { type: 'rejectedIdentifier', detail: 'policy', hostname: null },
    ],
    retryAfterMs: 120_000,
  })
})

test.each([
  ['a number of seconds', '90', 90_000],
  ['a date', 'Sun, 15 Nov 2026 08:10:00 GMT', 600_000],
  ['a date in the past', 'Sun, 15 Nov 2026 07:00:00 GMT', 0],
  ['seconds beyond a month', '99999999999', 31 * 86_400_000],
  ['nothing', null, null],
  ['words', 'soon', null],
  ['a negative number', '-5', null],
  ['a fraction', '1.5', null],
  ['a date in another form', '2026-11-15T08:10:00Z', null],
  ['a date that does not exist', 'Sun, 99 Nov 2026 08:10:00 GMT', null],
])('Retry-After with %s is parsed', (_, header, expected) => {
  expect(retryAfterMsFrom(header, now)).toBe(expected)
})

test('a time that occurs only in the detail text is respected, even beyond the part that is kept', () => {
  const detail = `${'x'.repeat(300)}, retry after 2026-11-15 09:00:00 UTC: see https://letsencrypt.org/docs/rate-limits/`
  const problem = from({ type: acme('rateLimited'), detail }, 429)
  expect(problem.retryAfterMs).toBe(3_600_000)
  expect(problem.detail).toHaveLength(200)
})

test.each([
  ['a page with 503', '<html>Service unavailable</html>', 503, 'serverInternal'],
  ['a page with 429', 'slow down', 429, 'rateLimited'],
  ['a page with 404', undefined, 404, 'nonsense'],
  ['a list', [1, 2], 400, 'nonsense'],
  ['a document without type', { detail: 'x' }, 500, 'serverInternal'],
  ['an invalid type', { type: { a: 1 } }, 400, 'nonsense'],
  ['a type that pretends to be ours', { type: acme('timeout') }, 400, 'nonsense'],
  ['a type with a line in it', { type: `${acme('caa')}\nx` }, 400, 'nonsense'],
  ['a type of another family', { type: 'https://authority.test/quota' }, 400, 'https://authority.test/quota'],
])('%s is a problem as well', (_, body, status, type) => {
  expect(from(body, status)).toMatchObject({ type, status })
})

test('any text of an authority is stored short and printable', () => {
  fc.assert(
    fc.property(fc.anything(), fc.string({ unit: 'binary', maxLength: 400 }), (anything, text) => {
      for (const body of [anything, { type: text, detail: text, subproblems: [anything, { detail: text }] }]) {
        const problem = from(body, 400, text)
        for (const kept of [problem.detail, problem.type, ...problem.subproblems.map(({ detail }) => detail)]) {
          expect(kept).toMatch(/^[ -~]{0,200}$/)
        }
      }
    }),
  )
})

test('a missing response has no status', () => {
  expect(silence('unreachable', 'a\nb')).toMatchObject({ type: 'unreachable', detail: 'a\\010b', status: null })
})

const page = 'retry after 2026-11-15 09:00:00 UTC: see https://letsencrypt.org/docs/rate-limits/'
test.each([
  ['too many failed authorizations (5) for "a.test" in the last 1h0m0s', 'failures'],
  ['too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s', 'duplicate'],
  ['too many certificates (5) already issued for this exact set of domains in the last 168 hours: a.test', 'duplicate'],
  ['too many certificates (50) already issued for "a.test" in the last 168h0m0s', 'domain'],
  ['too many new orders (300) from this account in the last 3h0m0s', 'account'],
  ['too many new registrations (10) from this IP address in the last 3h0m0s', 'registrations'],
  ['Your account is temporarily prevented from requesting certificates for a.test and possibly others.', 'paused'],
  ['something new', 'account'],
])('"%s" is the rate limit %s', (sentence, limit) => {
  expect(rateLimitOf(from({ type: acme('rateLimited'), detail: `${sentence}, ${page}` }, 429))).toBe(limit)
})

test('a busy service is not a limit of ours, and a rejection is not a rate limit', () => {
  expect(rateLimitOf(from({ type: acme('rateLimited'), detail: 'Service busy; retry later.' }, 503))).toBe('load')
  expect(rateLimitOf(from({ type: acme('caa'), detail: 'too many new orders' }, 403))).toBeNull()
})

test('a failure of secondary validation only is distinguished', () => {
  expect(isSecondaryValidation({ detail: 'During secondary validation: 192.0.2.1: Connection refused' })).toBe(true)
  expect(isSecondaryValidation({ detail: '192.0.2.1: During secondary validation: no' })).toBe(false)
})
