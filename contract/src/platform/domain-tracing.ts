// What visitors of a domain are answered at this moment, hop by hop, as somebody
// without a browser sees it. Browsers remember redirects for long; whoever sees an old
// one there can compare it with what is really served.

import { Type, type Static } from 'typebox'
import { Time } from './accounts.ts'
import { oneOf } from './domain-shapes.ts'
import { hostnameParameter } from './domains.ts'
import { member, projectSlug, type PlatformOperation } from './operation.ts'

export const TRACE_HOPS_MAX = 10
/** `arrives`: visitors get to a secure page. `stopped`: somebody must act. `untold`: we could not see it. */
export const traceOutcomes = ['arrives', 'stopped', 'untold'] as const
export type TraceOutcome = (typeof traceOutcomes)[number]

const shown = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 8192, description })

export const TraceHop = Type.Object(
  {
    url: Type.String({ description: 'The address that was asked.' }),
    address: shown('The IP address that answered, or the last one that did not; null if there was none to ask.'),
    status: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'Null if nobody answered.' }),
    location: shown('Where it sends visitors, as it was sent; null if it is no redirect.'),
    cacheControl: shown('For how long browsers may remember the answer, as it was sent.'),
    hsts: shown('For how long browsers come over HTTPS alone, as it was sent (`Strict-Transport-Security`).'),
    server: shown('What the server calls itself.'),
    certificateUntil: shown('Until when the certificate is valid that was shown; null if none was.'),
    ms: Type.Integer({ minimum: 0, description: 'How long it took, in milliseconds.' }),
  },
  { $id: 'TraceHop', description: 'One answer on the way. What strangers sent is cut, and made plain text.' },
)
export type TraceHop = Static<typeof TraceHop>

export const DomainTrace = Type.Object(
  {
    at: Time,
    outcome: oneOf(traceOutcomes, 'Whether visitors arrive.'),
    note: Type.String({ description: 'What it means, and what to do.' }),
    also: Type.Array(Type.String(), { description: 'What is worth knowing besides, such as what browsers remember.' }),
    hops: Type.Array(TraceHop, { minItems: 1, maxItems: TRACE_HOPS_MAX, description: 'In the order of the way.' }),
  },
  { $id: 'DomainTrace', description: 'What visitors of a domain are answered, from the first address to the last.' },
)
export type DomainTrace = Static<typeof DomainTrace>

export const traceDomain = {
  operationId: 'traceDomain',
  method: 'GET',
  path: '/projects/{project}/domains/{hostname}/trace',
  tag: 'domains',
  access: 'viewer',
  summary: 'Show what is served at a domain',
  description: `Asks \`http://\` and the hostname as a browser without memory would, and follows every redirect, ${TRACE_HOPS_MAX} at most. Only public addresses and the ports of the web are asked. Answers within 5 seconds.`,
  parameters: { project: projectSlug, hostname: hostnameParameter },
  success: {
    status: 200,
    description: 'The way, hop by hop, and what it means.',
    schema: DomainTrace,
    headers: [],
    noStore: true,
    example: {
      at: '2026-11-14T22:00:00Z',
      outcome: 'arrives',
      note: 'Visitors of http://www.happy-paws.example/ arrive at https://www.happy-paws.example/ in one hop, over a secure connection; its certificate is valid until 2027-02-12.',
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
