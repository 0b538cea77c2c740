// Authorities that do not respond, respond with nonsense, lose our account, or never finish an order.

import { acmeFault, problemReply } from '../../internet/acme-fault-rules.ts'
import type { AcmeEndpoint } from '../../internet/acme-exchange.ts'
import { answering, ASKED_MS, type Row } from './row.ts'

export function outages(): Omit<Row, 'zone'>[] {
  const common = { at: 'alone', code: 'ca.outage', goesOn: 'Re-verify' } as const
  const page = (status: number, on: AcmeEndpoint) =>
    answering(on, () => {
      const headers = { 'content-type': 'text/html', 'retry-after': String(ASKED_MS / 1000) }
      return { status, headers, body: `<html><h1>${status}</h1></html>` }
    })
  return [
    {
      ...common,
      name: 'page-503',
      says: '503 from a load balancer, Retry-After in seconds, and Re-verify is chosen repeatedly',
      askedMs: ASKED_MS,
      faults: () => [page(503, 'newOrder')],
    },
    {
      ...common,
      name: 'busy',
      says: '503 because the authority is overloaded, Retry-After in seconds',
      askedMs: ASKED_MS,
      goesOn: 'automatically',
      faults: () => [
        answering('newOrder', () =>
          problemReply(
            { type: 'rateLimited', status: 503, detail: 'Service busy; retry later.' },
            String(ASKED_MS / 1000),
          ),
        ),
      ],
    },
    {
      ...common,
      name: 'problem-500',
      says: '500 with a problem document',
      faults: () => [acmeFault.problem('newOrder', { type: 'serverInternal', status: 500 })],
    },
    {
      name: 'page-502-later',
      says: '502 when the order is polled, Retry-After in seconds',
      at: 'shared',
      code: null,
      goesOn: 'automatically',
      askedMs: ASKED_MS,
      faults: () => [page(502, 'order')],
    },
    {
      ...common,
      name: 'reset-order',
      says: 'the connection is closed when the order is placed',
      faults: () => [acmeFault.reset('newOrder')],
    },
    {
      ...common,
      name: 'lost-order',
      says: 'the order is placed, and the response is lost',
      faults: () => [acmeFault.lose('newOrder')],
    },
    {
      name: 'reset-finalize',
      says: 'the connection is closed when the certificate is requested',
      at: 'shared',
      code: null,
      goesOn: 'automatically',
      faults: () => [acmeFault.reset('finalize')],
    },
    { ...common, name: 'silence', says: 'no response at all', faults: () => [acmeFault.hang('newOrder')] },
    {
      ...common,
      name: 'nonsense',
      says: 'a response that cannot be parsed',
      faults: () => [acmeFault.garbage('newOrder')],
    },
    {
      ...common,
      name: 'processing-for-ever',
      says: 'the order never leaves processing',
      isStuck: true,
      faults: () => [acmeFault.processingForEver()],
    },
    {
      ...common,
      name: 'pending-for-ever',
      says: 'the challenge is never validated',
      isStuck: true,
      faults: () => [acmeFault.pendingForEver()],
    },
    {
      name: 'nonces-some',
      says: 'one nonce in five is rejected',
      at: 'own process',
      code: null,
      goesOn: 'automatically',
      manners: { nonceRejectPercent: 20 },
    },
    {
      name: 'nonces-all',
      says: 'all nonces are rejected',
      at: 'alone',
      code: 'ca.outage',
      goesOn: 'Re-verify',
      faults: () => [acmeFault.badNonce('newOrder')],
    },
    {
      name: 'restarted',
      says: 'the authority was restarted and has lost our account',
      at: 'own process',
      code: 'ca.malformed',
      goesOn: 'Re-verify',
      isForgetful: true,
    },
  ]
}
