// The trace of a domain: the responses that visitors get at this moment, hop by hop, without a
// browser cache. Browsers cache redirects for long; an owner who sees an old one can compare it
// with what is really served.

import { Type, type Static } from 'typebox'
import { Time } from './accounts.ts'
import { oneOf } from './domain-shapes.ts'
import { hostnameParameter } from './domains.ts'
import { member, projectSlug, type PlatformOperation } from './operation.ts'

export const TRACE_HOPS_MAX = 10
/** `arrives`: visitors get to a secure page. `stopped`: action required. `untold`: undetermined. */
export const traceOutcomes = ['arrives', 'stopped', 'untold'] as const
export type TraceOutcome = (typeof traceOutcomes)[number]

const shown = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 8192, description })

export const TraceHop = Type.Object(
  {
    url: Type.String({ description: 'The requested URL.' }),
    address: shown('The IP address that responded, or the last one that did not; null if there was none.'),
    status: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'Null if there was no response.' }),
    location: shown('The `Location` header, unchanged; null if it is not a redirect.'),
    cacheControl: shown('How long browsers may cache the response: the `Cache-Control` header, unchanged.'),
    hsts: shown('How long browsers use only HTTPS: the `Strict-Transport-Security` header, unchanged.'),
    server: shown('The `Server` header.'),
    certificateUntil: shown('When the certificate of the server expires; null if there was none.'),
    ms: Type.Integer({ minimum: 0, description: 'Duration in milliseconds.' }),
  },
  {
    $id: 'TraceHop',
    description: 'One response in the chain. Text from other servers is truncated and converted to plain text.',
  },
)
export type TraceHop = Static<typeof TraceHop>

export const DomainTrace = Type.Object(
  {
    at: Time,
    outcome: oneOf(traceOutcomes, 'Whether visitors arrive.'),
    note: Type.String({ description: 'An explanation of the result, and what to do.' }),
    also: Type.Array(Type.String(), { description: 'Additional notes, such as what browsers cache.' }),
    hops: Type.Array(TraceHop, { minItems: 1, maxItems: TRACE_HOPS_MAX, description: 'In order.' }),
  },
  { $id: 'DomainTrace', description: 'The chain of responses that visitors to a domain receive.' },
)
export type DomainTrace = Static<typeof DomainTrace>

export const traceDomain = {
  operationId: 'traceDomain',
  method: 'GET',
  path: '/projects/{project}/domains/{hostname}/trace',
  tag: 'domains',
  access: 'viewer',
  summary: 'Trace the redirects of a domain',
  description: `Requests \`http://\` and the hostname like a browser with an empty cache, and follows up to ${TRACE_HOPS_MAX} redirects. Only public addresses and ports 80 and 443 are contacted. Responds within 5 seconds.`,
  parameters: { project: projectSlug, hostname: hostnameParameter },
  success: {
    status: 200,
    description: 'The chain of responses, and an explanation.',
    schema: DomainTrace,
    headers: [],
    noStore: true,
    example: {
      at: '2026-11-14T22:00:00Z',
      outcome: 'arrives',
      note: 'Visitors to http://www.happy-paws.example/ arrive at https://www.happy-paws.example/ with one redirect, over a secure connection; its certificate is valid until 2027-02-12.',
      also: [],
      hops: [
        {
          url: 'http://www.happy-paws.example/',
          address: '192.0.2.80',
          status: 301,
          location: 'https://www.happy-paws.example/',
          cacheControl: 'no-store',
          hsts: null,
          server: 'Caddy',
          certificateUntil: null,
          ms: 9,
        },
        {
          url: 'https://www.happy-paws.example/',
          address: '192.0.2.80',
          status: 200,
          location: null,
          cacheControl: 'public, max-age=60',
          hsts: 'max-age=86400',
          server: 'Caddy',
          certificateUntil: '2027-02-12T22:00:00Z',
          ms: 14,
        },
      ],
    },
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const domainTracingOperations: readonly PlatformOperation[] = [traceDomain]
