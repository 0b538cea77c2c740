// Rate limits and requested waits: 429 in each of its kinds, the time given in each of its
// forms. The limit is identified by its sentence, so the sentences are those of Let's Encrypt.

import { problemReply, rateLimits, type AcmeFault } from '../../internet/acme-fault-rules.ts'
import type { AcmeEndpoint } from '../../internet/acme-exchange.ts'
import { answering, ASKED_MS, MINUTE, type Row } from './row.ts'

export function limits(): Omit<Row, 'zone'>[] {
  const waited = { goesOn: 'automatically', askedMs: ASKED_MS } as const
  return [
    {
      name: 'failures-seconds',
      says: 'limit of failed authorizations, Retry-After in seconds',
      at: 'shared',
      code: 'ca.rate_limited_failures',
      ...waited,
      faults: () => [limited('failures', 'in seconds')],
    },
    {
      name: 'failures-date',
      says: 'limit of failed authorizations, Retry-After as a date',
      at: 'shared',
      code: 'ca.rate_limited_failures',
      ...waited,
      faults: () => [limited('failures', 'as a date')],
    },
    {
      name: 'failures-pressed',
      says: 'the same, and Re-verify is chosen repeatedly',
      at: 'shared',
      code: 'ca.rate_limited_failures',
      ...waited,
      goesOn: 'Re-verify',
      faults: () => [limited('failures', 'in seconds')],
    },
    {
      name: 'duplicate-words',
      says: 'limit of duplicate certificates, the time only in the message',
      at: 'shared',
      code: 'ca.rate_limited_duplicate',
      ...waited,
      faults: () => [limited('duplicate', 'in words')],
    },
    {
      name: 'domain-date',
      says: 'limit of certificates for a registered domain, Retry-After as a date',
      at: 'shared',
      code: 'ca.rate_limited_domain',
      ...waited,
      faults: () => [limited('domain', 'as a date')],
    },
    {
      name: 'account-seconds',
      says: 'limit of orders per account, Retry-After in seconds',
      at: 'alone',
      code: 'ca.rate_limited_account',
      ...waited,
      faults: () => [limited('account', 'in seconds')],
    },
    {
      name: 'registrations',
      says: 'limit of new accounts, Retry-After in seconds',
      at: 'alone',
      code: 'ca.rate_limited_account',
      ...waited,
      faults: () => [limited('registrations', 'in seconds', 'account')],
    },
    {
      name: 'name-paused',
      says: 'the hostname is paused for our account',
      at: 'shared',
      code: 'ca.paused',
      goesOn: 'Re-verify',
      faults: () => [limited('paused', 'not')],
    },
    {
      name: 'polled-too-often',
      says: '429 when the order is polled, Retry-After in seconds',
      at: 'shared',
      code: null,
      ...waited,
      faults: () => [limited('Too many requests', 'in seconds', 'order')],
    },
    {
      name: 'processing-a-while',
      says: 'the order stays in processing, Retry-After in seconds',
      at: 'shared',
      code: null,
      ...waited,
      faults: () => [
        {
          on: 'finalize',
          action: {
            does: 'bend',
            bend: (reply) => {
              const order = JSON.parse(reply.body) as Record<string, unknown>
              const headers = { ...reply.headers, 'retry-after': String(ASKED_MS / 1000) }
              return { ...reply, headers, body: JSON.stringify({ ...order, status: 'processing' }) }
            },
          },
        },
      ],
    },
  ]
}

/** The time of the response, in whole seconds as in HTTP dates; and when to retry. */
const timesAt = (now: number) => {
  const second = Math.floor(now / 1000) * 1000
  return { date: new Date(second).toUTCString(), until: second + ASKED_MS }
}

type TimeFormat = 'in seconds' | 'as a date' | 'in words' | 'not'

const limited = (kind: string, format: TimeFormat, on: AcmeEndpoint = 'newOrder'): AcmeFault =>
  answering(on, (now) => {
    const { date, until } = timesAt(now)
    const header = { 'in seconds': String(ASKED_MS / 1000), 'as a date': new Date(until).toUTCString() }
    const detail = rateLimits[kind]?.(format === 'in words' ? until : until + 60 * MINUTE) ?? kind
    const retryAfter = format === 'in seconds' || format === 'as a date' ? header[format] : undefined
    const reply = problemReply({ type: 'rateLimited', status: 429, detail }, retryAfter)
    return { ...reply, headers: { ...reply.headers, date } }
  })
