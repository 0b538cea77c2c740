import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { enhancedIn, outcomeOf, outcomeText, type SmtpOutcome } from '../foundation/smtp/outcome.ts'
import { pauseSeconds, retrySeconds, verdictOf } from './delivery.ts'

const rejected = (code: number, enhanced: string | null): SmtpOutcome => ({ kind: 'rejected', code, enhanced })

describe('a reply is judged by its enhanced code', () => {
  test.each([
    [rejected(550, '5.1.1'), 'bounced'],
    [rejected(550, '5.1.10'), 'bounced'],
    [rejected(550, null), 'bounced'],
    [rejected(554, '5.6.0'), 'bounced'],
    [rejected(552, '5.2.2'), 'retry'],
    [rejected(550, '5.7.1'), 'retry'],
    [rejected(450, '4.2.1'), 'retry'],
    [rejected(451, null), 'retry'],
    [{ kind: 'accepted' }, 'sent'],
  ] satisfies [SmtpOutcome, string][])('%o: %s', (outcome, kind) => {
    expect(verdictOf(outcome).kind).toBe(kind)
  })

  test('only a failure of the relay or its policy pauses the queue', () => {
    const pauses = (outcome: SmtpOutcome) => {
      const verdict = verdictOf(outcome)
      return verdict.kind === 'retry' && verdict.pauses
    }
    expect(pauses(rejected(450, '4.2.1'))).toBe(false)
    expect(pauses(rejected(550, '5.7.26'))).toBe(true)
    expect(pauses({ kind: 'failed', at: 'connect', code: null })).toBe(true)
  })

  test('a mail is at fault only if the relay was lost without a word while it had the message', () => {
    const isCounted = (at: 'connect' | 'tls' | 'authentication' | 'timeout' | 'connection', code: number | null) => {
      const verdict = verdictOf({ kind: 'failed', at, code })
      return verdict.kind === 'retry' && verdict.isCounted
    }
    expect([isCounted('connection', null), isCounted('timeout', null)]).toEqual([true, true])
    expect([isCounted('connection', 421), isCounted('connect', null), isCounted('tls', null)]).toEqual([
      false,
      false,
      false,
    ])
  })
})

test('attempts are 30 s, 2, 10 and 30 minutes apart, then an hour', () => {
  expect([1, 2, 3, 4, 5, 6, 50].map(retrySeconds)).toEqual([30, 120, 600, 1800, 3600, 3600, 3600])
})

test('a pause doubles from one second to five minutes', () => {
  expect([1, 2, 3, 9, 10, 100].map(pauseSeconds)).toEqual([1, 2, 4, 256, 300, 300])
})

test('no text of a relay is kept: it repeats the address', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('EENVELOPE', 'EMESSAGE', 'ECONNECTION', 'EAUTH'), (text, code) => {
      const response = `550 5.1.1 <mia@happy-paws.example> ${text}`
      expect(outcomeText(outcomeOf({ code, responseCode: 550, response }, true))).toMatch(/^[a-z0-9. ]{1,30}$/)
    }),
  )
})

test('an enhanced code is found only where RFC 3463 puts it', () => {
  expect(['550 5.1.1 No', '550-5.7.26 No', '550 No 5.1.1', '550 5.1', '550 9.1.1 No'].map(enhancedIn)).toEqual([
    '5.1.1',
    '5.7.26',
    null,
    null,
    null,
  ])
})
