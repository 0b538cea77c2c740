// Schemas of a custom domain: its status, the cause that blocks it, the records that its owner
// must create, and the answers that were observed. Names of states and codes are part of the
// contract: add freely, never rename.

import { Type, type Static } from 'typebox'
import { Time, TimeOrNull } from './accounts.ts'

export const domainStatuses = [
  'pending_dns',
  'verifying',
  'action_required',
  'waiting',
  'issuing',
  'live',
  'degraded',
  'paused',
  'dormant',
] as const
export type ShownStatus = (typeof domainStatuses)[number]

const ownerships = ['unknown', 'unproven', 'proven', 'contested', 'lost'] as const
const routings = [
  'unknown',
  'missing',
  'wrong',
  'conflict',
  'propagating',
  'pointing',
  'drifted',
  'unreachable',
] as const
const certificates = [
  'none',
  'blocked',
  'queued',
  'validating',
  'issued',
  'deployed',
  'renewing',
  'renewal_failing',
  'expired',
  'rate_limited',
] as const
/** The registrable domain itself, or a name below it. */
export const domainKinds = ['apex', 'subdomain'] as const
export type DomainKind = (typeof domainKinds)[number]

/** Every kind of event in the history of a domain. */
export const domainEventKinds = [
  'domain.added',
  'domain.dns_detected',
  'domain.verified',
  'domain.action_required',
  'domain.recovered',
  'domain.live',
  'domain.drift',
  'domain.restored',
  'domain.degraded',
  'domain.dormant',
  'domain.paused',
  'domain.resumed',
  'domain.removed',
  'domain.moved',
  'domain.primary_changed',
  'domain.redirect_changed',
  'certificate.issued',
  'certificate.renewed',
  'certificate.refused',
  'certificate.expired',
] as const
export type DomainEventKind = (typeof domainEventKinds)[number]

export const redirectStatuses = [301, 302, 307, 308] as const
export type RedirectStatus = (typeof redirectStatuses)[number]

/** Any other status is refused as `redirect_status_invalid` where redirects are planned, not as a malformed body. */
const redirectStatus = { type: 'integer', enum: [...redirectStatuses] }

export const HOSTNAME_LENGTH_MAX = 253
/** Pasted input is longer than the hostname in it: a whole URL, with a path. */
export const TYPED_LENGTH_MAX = 2048
export const REDIRECTS_MAX = 1000
export const EVIDENCE_LINES_MAX = 60
export const EVIDENCE_LENGTH_MAX = 200

export const oneOf = <Word extends string>(words: readonly Word[], description: string) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...words], description })
const textOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 2048, description })
const nullable = <Schema extends object>(schema: Schema, description: string) => ({
  oneOf: [schema, { type: 'null' }],
  description,
})

export const hostname = Type.Unsafe<string>({
  type: 'string',
  minLength: 1,
  maxLength: HOSTNAME_LENGTH_MAX,
  description: 'Hostname in lower case, as in DNS; letters beyond ASCII as `xn--…`.',
})
export const displayName = Type.String({ description: 'The hostname as people write it.' })
export const kind = oneOf(
  domainKinds,
  'Whether it is the registered domain itself, such as `happy-paws.com`, or a name below it.',
)

export const Trouble = Type.Object(
  {
    code: Type.String({
      pattern: '^[a-z_]+\\.[a-z0-9_]+$',
      description:
        'Machine-readable code, such as `dns.conflict_a`. A trouble code contains a dot, an error code does not.',
    }),
    severity: oneOf(['blocks', 'warns', 'informs', 'waits'], 'Whether it blocks the domain, or only takes time.'),
    actor: oneOf(['owner', 'platform', 'authority', 'third_party'], 'Who must act.'),
    advice: Type.String({ description: 'What we found, what to do, and what happens next.' }),
    until: { ...TimeOrNull, description: 'When it will resolve automatically, if known.' },
  },
  { $id: 'Trouble', description: 'A problem found by a check, such as a wrong DNS record.' },
)
export type Trouble = Static<typeof Trouble>

const HeldRecord = Type.Object(
  {
    line: Type.String({ description: 'As `TYPE value`.' }),
    todo: oneOf(
      ['keep', 'leave', 'change', 'delete'],
      'What to do with it; `leave` means that it is not related to the site.',
    ),
  },
  { $id: 'HeldRecord', description: 'A current record.' },
)
export type HeldRecord = Static<typeof HeldRecord>

export const DomainRecord = Type.Object(
  {
    type: oneOf(['CNAME', 'ALIAS', 'ANAME', 'A', 'AAAA', 'TXT', 'CAA'], 'Type of the record.'),
    name: Type.String({ description: 'As the form of the DNS provider expects it: a label, `@`, or the full name.' }),
    fullName: Type.String({ description: 'The full name.' }),
    value: Type.String({ description: 'The required value.' }),
    ttl: Type.Integer({ minimum: 0, description: 'Time to live, in seconds.' }),
    have: Type.Array(HeldRecord, { description: 'The current records.' }),
    state: oneOf(['right', 'missing', 'wrong', 'conflicting', 'unknown'], 'How the current records compare with it.'),
    action: oneOf(['keep', 'add', 'change', 'delete_others', 'wait'], 'What to do about it.'),
    required: Type.Boolean({ description: 'Whether the domain cannot be verified without it.' }),
  },
  { $id: 'DomainRecord', description: 'A required record, next to the current ones.' },
)
export type DomainRecord = Static<typeof DomainRecord>

const Propagation = Type.Object(
  {
    note: Type.String({ description: 'How long a change can take to be visible everywhere, as text for people.' }),
    until: { ...TimeOrNull, description: 'When the cached old value expires in the last resolver that we queried.' },
  },
  { $id: 'DnsPropagation', description: 'How long a DNS change by the owner can take to be visible.' },
)
export type Propagation = Static<typeof Propagation>

export const Provider = Type.Object(
  {
    id: Type.String(),
    name: Type.String({ description: 'Name of the provider.' }),
    dnsPage: textOrNull('URL of the page where records are edited.'),
  },
  { $id: 'DnsProvider', description: 'The DNS provider of a name, derived from its nameservers.' },
)
export type Provider = Static<typeof Provider>

export const Sighting = Type.Object(
  {
    server: Type.String({ maxLength: EVIDENCE_LENGTH_MAX, description: 'The server that was queried.' }),
    question: Type.String({ maxLength: EVIDENCE_LENGTH_MAX }),
    answer: Type.String({
      maxLength: EVIDENCE_LENGTH_MAX,
      description: 'The answer; bytes that are not plain text as `\\ddd`.',
    }),
    ms: Type.Integer({ minimum: 0, description: 'Duration in milliseconds.' }),
  },
  { $id: 'Sighting', description: 'One query and its answer.' },
)
export type Sighting = Static<typeof Sighting>

export const Redirect = Type.Object(
  {
    from: hostname,
    to: hostname,
    status: Type.Optional(
      Type.Unsafe<number>({
        ...redirectStatus,
        default: 301,
        description: 'HTTP status of the redirect; 301 if none is given.',
      }),
    ),
  },
  {
    $id: 'Redirect',
    additionalProperties: false,
    description: 'Visitors to `from` are redirected to the same path and query at `to`, while `to` is live.',
  },
)
/** As a client sends it: the default status is 301. */
export type RedirectWish = Static<typeof Redirect>

const axes = Type.Object(
  {
    ownership: oneOf(ownerships, 'Whether it is proven that the name belongs to this project.'),
    proof: Type.Unsafe<'cname' | 'txt' | null>({ enum: ['cname', 'txt', null], description: 'What proves it.' }),
    routing: oneOf(routings, 'Where the DNS records of the name point.'),
    certificate: oneOf(certificates, 'State of the certificate.'),
  },
  { description: 'Three independent states, from which the status is derived.' },
)

export const nextCheckAt = { ...TimeOrNull, description: 'When the next automatic check takes place.' }

const onDomain = {
  id: Type.String({ description: 'Identifier of the domain.' }),
  hostname,
  displayName,
  kind,
  status: oneOf(domainStatuses, 'Status of the domain.'),
  nextCheckAt,
  until: { ...TimeOrNull, description: 'When the wait is expected to end, if known.' },
  isPrimary: Type.Boolean({ description: 'Whether it is the primary domain of the project.' }),
  redirect: Type.Unsafe<{ to: string; status: RedirectStatus; isActive: boolean } | null>(
    nullable(
      Type.Object({
        to: hostname,
        status: Type.Unsafe<RedirectStatus>(redirectStatus),
        isActive: Type.Boolean({
          description:
            'Whether visitors are redirected there now. While `to` is not live, they see the site at this domain.',
        }),
      }),
      'Where its visitors are redirected; null if the site is shown there.',
    ),
  ),
  addedAt: Time,
  verifiedAt: { ...TimeOrNull, description: 'Since when this project holds the name.' },
  liveAt: { ...TimeOrNull, description: 'Since when visitors are served there.' },
}

const rootCause = Type.Unsafe<Trouble | null>(nullable(Trouble, 'What to do first; null if nothing is wrong.'))

export const DomainSummary = Type.Object(
  { ...onDomain, rootCause },
  { $id: 'DomainSummary', description: 'A domain in a list.' },
)
export type DomainSummary = Static<typeof DomainSummary>
export const Domains = Type.Array(DomainSummary, { $id: 'Domains', maxItems: 100 })

export const onDiagnosis = {
  rootCause,
  also: Type.Array(Trouble, { description: 'Other findings.' }),
  records: Type.Array(DomainRecord, { description: 'Every required or recommended record.' }),
  propagation: Type.Unsafe<Propagation | null>(
    nullable(Propagation, 'Null if every record is correct and visible everywhere.'),
  ),
  provider: Type.Unsafe<Provider | null>(nullable(Provider, 'Null if it could not be detected.')),
  evidence: Type.Array(Sighting, {
    maxItems: EVIDENCE_LINES_MAX,
    description: 'Queries and answers of the last check.',
  }),
  evidenceAt: { ...TimeOrNull, description: 'When the last check took place.' },
}

export const DomainCertificate = Type.Object(
  {
    authority: Type.String({ description: 'The certificate authority, as named in CAA records.' }),
    serial: Type.String({ description: 'Its serial number, in hexadecimal digits.' }),
    validFrom: Time,
    validUntil: Time,
    renewsAt: { ...Time, description: 'When it will be renewed, well before it expires.' },
  },
  { $id: 'DomainCertificate', description: 'The certificate served to visitors.' },
)
export type DomainCertificate = Static<typeof DomainCertificate>

export const Domain = Type.Object(
  {
    ...onDomain,
    axes,
    ...onDiagnosis,
    certificate: Type.Unsafe<DomainCertificate | null>(
      nullable(DomainCertificate, 'Null until it has been issued; it is issued and renewed automatically.'),
    ),
  },
  { $id: 'Domain', description: 'A custom domain of a project.' },
)
export type Domain = Static<typeof Domain>

export const DomainCheck = Type.Object(
  {
    hostname,
    displayName,
    kind,
    sibling: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: HOSTNAME_LENGTH_MAX,
      description:
        'The name that visitors also type: `www` of a registered domain, or the domain itself if this is its `www`. Null for other names, and if the project already has the sibling.',
    }),
    isReady: Type.Boolean({ description: 'Whether it would be verified if it were added now.' }),
    needs: Type.Array(Type.String(), {
      description: 'What is needed in DNS, in plain sentences, in the order in which to do it.',
    }),
    ...onDiagnosis,
  },
  { $id: 'DomainCheck', description: 'The diagnosis of a hostname that has not been added.' },
)
export type DomainCheck = Static<typeof DomainCheck>

export const DomainRemoval = Type.Object(
  {
    removedAt: Time,
    edges: Type.Array(
      Type.Object({
        edge: Type.String({ description: 'Name of the server.' }),
        confirmedAt: { ...TimeOrNull, description: 'When it confirmed the removal; null if it has not yet.' },
        isConnected: Type.Boolean({
          description:
            'Whether it is connected. A disconnected server keeps serving its last known state until it reconnects.',
        }),
      }),
      {
        description:
          'Every server that serves visitors, and whether it has confirmed that it no longer serves the name.',
      },
    ),
  },
  { $id: 'DomainRemoval' },
)
export type DomainRemoval = Static<typeof DomainRemoval>

export const settingsVersion = Type.Integer({
  minimum: 0,
  maximum: 999_999_999,
  description: 'Increases with each change of the primary domain or the redirects.',
})

export const DomainSettings = Type.Object(
  {
    version: settingsVersion,
    primary: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Hostname; null if none is chosen.' }),
    redirects: Type.Array(Redirect, { maxItems: REDIRECTS_MAX }),
  },
  { $id: 'DomainSettings', description: 'The primary domain and the redirects of a project.' },
)
export type DomainSettings = Static<typeof DomainSettings>

export const DomainEvent = Type.Object(
  {
    id: Type.Integer({ minimum: 1, description: 'Sequence number within the domain.' }),
    at: Time,
    kind: oneOf(domainEventKinds, 'What happened.'),
    code: textOrNull('Code of the cause, if there is one.'),
    detail: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description: 'For certificate events: `authority` and `validUntil`.',
    }),
  },
  { $id: 'DomainEvent' },
)
export type DomainEvent = Static<typeof DomainEvent>
export const DomainEvents = Type.Array(DomainEvent, { $id: 'DomainEvents', maxItems: 100 })
