// Share links: for the person who manages the DNS of a domain and is not a member of the
// project, such as the shop's agency, a cousin, or the support of a registrar. A link shows
// which records to create and which are present now, changes nothing, and expires
// automatically. Every holder of the link can read it, so of the project it reveals only the
// name.

import { Type, type Static } from 'typebox'
import { Time } from './accounts.ts'
import { displayName, domainStatuses, hostname, kind, nextCheckAt, oneOf, onDiagnosis } from './domain-shapes.ts'
import { diagnosis, hostnameParameter } from './domains.ts'
import { anyone, idParameter, member, projectSlug, type PlatformOperation } from './operation.ts'

export const SHARE_DAYS = 7
export const SHARES_MAX = 10

export const DomainShare = Type.Object(
  {
    link: Type.String({
      format: 'uri',
      description: 'URL of the page that shows the records. Returned only in this response.',
    }),
    expiresAt: Time,
  },
  { $id: 'DomainShare', description: 'A link that shows the required DNS records of a domain without signing in.' },
)
export type DomainShare = Static<typeof DomainShare>

const { rootCause, records, propagation, provider, evidenceAt } = onDiagnosis

export const DnsInstructions = Type.Object(
  {
    hostname,
    displayName,
    kind,
    projectName: Type.String({ description: 'Name of the project that the domain is for.' }),
    status: oneOf(domainStatuses, 'Status of the domain.'),
    rootCause,
    records,
    propagation,
    provider,
    evidenceAt,
    nextCheckAt,
    expiresAt: { ...Time, description: 'When the link expires.' },
  },
  { $id: 'DnsInstructions', description: 'The required DNS records of a domain, next to the current ones.' },
)
export type DnsInstructions = Static<typeof DnsInstructions>

const parameters = { project: projectSlug, hostname: hostnameParameter }
const secretExample = 'q3Zt0s1Xc5mB7uVw9yA2dF4gH6jK8lN0pR2tT4vX6z8'
const expiresAt = '2026-11-21T22:00:00Z'

export const shareDomain = {
  operationId: 'shareDomain',
  method: 'POST',
  path: '/projects/{project}/domains/{hostname}/share',
  tag: 'domains',
  access: 'admin',
  summary: 'Share the DNS records of a domain',
  description: `Creates a link that shows the required records next to the current ones to anyone who has it, without signing in, for ${SHARE_DAYS} days. Each call creates another link; beyond ${SHARES_MAX} links the oldest is revoked.`,
  parameters,
  success: {
    status: 201,
    description: 'The link, returned only once.',
    schema: DomainShare,
    headers: [],
    example: { link: `https://app.petstore.example/dns/${secretExample}`, expiresAt },
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const revokeDomainShares = {
  operationId: 'revokeDomainShares',
  method: 'DELETE',
  path: '/projects/{project}/domains/{hostname}/share',
  tag: 'domains',
  access: 'admin',
  summary: 'Revoke every shared link of a domain',
  description: 'All links stop working immediately. Succeeds even if there are none.',
  parameters,
  success: { status: 204, description: 'Revoked.', headers: [] },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const getDnsInstructions = {
  operationId: 'getDnsInstructions',
  method: 'GET',
  path: '/dns-instructions/{secret}',
  tag: 'domains',
  access: 'anyone',
  summary: 'Get shared DNS instructions',
  description:
    'The required DNS records of a domain, for the person who manages its DNS. A link that has expired or was revoked, or whose domain was removed, is not found.',
  parameters: { secret: idParameter('The last part of the link.', secretExample) },
  success: {
    status: 200,
    description: 'The required records, next to the current ones.',
    schema: DnsInstructions,
    headers: [],
    noStore: true,
    example: {
      hostname: 'www.happy-paws.example',
      displayName: 'www.happy-paws.example',
      kind: 'subdomain',
      projectName: 'Happy Paws',
      status: 'action_required',
      rootCause: diagnosis.rootCause,
      records: diagnosis.records,
      propagation: diagnosis.propagation,
      provider: diagnosis.provider,
      evidenceAt: diagnosis.evidenceAt,
      nextCheckAt: '2026-11-14T22:00:05Z',
      expiresAt,
    },
  },
  otherStatuses: [...anyone, 404],
} as const satisfies PlatformOperation

export const domainSharingOperations: readonly PlatformOperation[] = [
  shareDomain,
  revokeDomainShares,
  getDnsInstructions,
]
