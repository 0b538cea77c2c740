// What the interface shows of a custom domain: how far it has come, why it is not
// further, which records its owner must have, and what was seen of them. Words of
// states and codes are part of the contract: add freely, never rename.

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
/** What the one who registered it names whole, or a name below that. */
export const domainKinds = ['apex', 'subdomain'] as const
export type DomainKind = (typeof domainKinds)[number]

/** Everything that the history of a domain can tell. */
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
/** What people paste is longer than what they mean: a whole address, with a path. */
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
  description: 'Hostname in lower case, as DNS has it; letters beyond ASCII as `xn--…`.',
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
      description: 'For programs, such as `dns.conflict_a`. Trouble has a dot, a refusal has none.',
    }),
    severity: oneOf(['blocks', 'warns', 'informs', 'waits'], 'Whether it stops the domain, or only takes time.'),
    actor: oneOf(['owner', 'platform', 'authority', 'third_party'], 'Who must act.'),
    advice: Type.String({ description: 'What we saw, what to do, and what happens next.' }),
    until: { ...TimeOrNull, description: 'When it ends by itself, if that is known.' },
  },
  { $id: 'Trouble', description: 'Something wrong in the world, as it was found.' },
)
export type Trouble = Static<typeof Trouble>

const HeldRecord = Type.Object(
  {
    line: Type.String({ description: 'As `TYPE value`.' }),
    todo: oneOf(['keep', 'leave', 'change', 'delete'], 'What to do with it; `leave` is none of our business.'),
  },
  { $id: 'HeldRecord', description: 'A record that is there now.' },
)
export type HeldRecord = Static<typeof HeldRecord>

export const DomainRecord = Type.Object(
  {
    type: oneOf(['CNAME', 'ALIAS', 'ANAME', 'A', 'AAAA', 'TXT', 'CAA'], 'Type of the record.'),
    name: Type.String({ description: 'As the DNS provider wants it typed: a label, `@`, or the full name.' }),
    fullName: Type.String({ description: "The full name, whatever the provider's form." }),
    value: Type.String({ description: 'What the record must say.' }),
    ttl: Type.Integer({ minimum: 0, description: 'Time to live, in seconds.' }),
    have: Type.Array(HeldRecord, { description: 'What is there now.' }),
    state: oneOf(['right', 'missing', 'wrong', 'conflicting', 'unknown'], 'How what is there compares with it.'),
    action: oneOf(['keep', 'add', 'change', 'delete_others', 'wait'], 'What to do about it.'),
    required: Type.Boolean({ description: 'Whether the domain cannot be verified without it.' }),
  },
  { $id: 'DomainRecord', description: 'A record as the owner must have it, beside what is there.' },
)
export type DomainRecord = Static<typeof DomainRecord>

const Propagation = Type.Object(
  {
    note: Type.String({ description: 'How long a change can take to be seen everywhere, for people.' }),
    until: { ...TimeOrNull, description: 'When the last resolver that we asked forgets what was there before.' },
  },
  { $id: 'DnsPropagation', description: 'How long what the owner changes, or has changed, can take.' },
)
export type Propagation = Static<typeof Propagation>

export const Provider = Type.Object(
  {
    id: Type.String(),
    name: Type.String({ description: 'As people know it.' }),
    dnsPage: textOrNull('Where records are edited there.'),
  },
  { $id: 'DnsProvider', description: 'Who runs the DNS of a name, as its nameservers tell.' },
)
export type Provider = Static<typeof Provider>

export const Sighting = Type.Object(
  {
    server: Type.String({ maxLength: EVIDENCE_LENGTH_MAX, description: 'Who was asked.' }),
    question: Type.String({ maxLength: EVIDENCE_LENGTH_MAX }),
    answer: Type.String({
      maxLength: EVIDENCE_LENGTH_MAX,
      description: 'What came; bytes that are not plain as `\\ddd`.',
    }),
    ms: Type.Integer({ minimum: 0, description: 'How long it took, in milliseconds.' }),
  },
  { $id: 'Sighting', description: 'One question, and what came of it.' },
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
    description: 'Visitors to `from` are sent to the same path and query at `to`, while `to` is live.',
  },
)
/** As a client sends it: without a status, 301 is meant. */
export type RedirectWish = Static<typeof Redirect>

const axes = Type.Object(
  {
    ownership: oneOf(ownerships, 'Whether it is proven that the name belongs to this project.'),
    proof: Type.Unsafe<'cname' | 'txt' | null>({ enum: ['cname', 'txt', null], description: 'What proves it.' }),
    routing: oneOf(routings, 'Where visitors of the name get to.'),
    certificate: oneOf(certificates, 'How far the certificate has come.'),
  },
  { description: 'Three things that stand each for itself; the status follows from them.' },
)

export const nextCheckAt = { ...TimeOrNull, description: 'When we look again by ourselves.' }

const onDomain = {
  id: Type.String({ description: 'Identifier of the domain.' }),
  hostname,
  displayName,
  kind,
  status: oneOf(domainStatuses, 'How far it has come.'),
  nextCheckAt,
  until: { ...TimeOrNull, description: 'When what is waited for ends by itself, if that is known.' },
  isPrimary: Type.Boolean({ description: 'Whether it is the address that the project is known by.' }),
  redirect: Type.Unsafe<{ to: string; status: RedirectStatus; isActive: boolean } | null>(
    nullable(
      Type.Object({
        to: hostname,
        status: Type.Unsafe<RedirectStatus>(redirectStatus),
        isActive: Type.Boolean({
          description: 'Whether visitors are sent there now. While `to` is not live, they see the site at this domain.',
        }),
      }),
      'Where its visitors are sent; null if the site is shown there.',
    ),
  ),
  addedAt: Time,
  verifiedAt: { ...TimeOrNull, description: 'Since when this project holds the name.' },
  liveAt: { ...TimeOrNull, description: 'Since when visitors are served there.' },
}

const rootCause = Type.Unsafe<Trouble | null>(nullable(Trouble, 'What to do first; null if nothing is wrong.'))

export const DomainSummary = Type.Object(
  { ...onDomain, rootCause },
  { $id: 'DomainSummary', description: 'A domain as a list shows it.' },
)
export type DomainSummary = Static<typeof DomainSummary>
export const Domains = Type.Array(DomainSummary, { $id: 'Domains', maxItems: 100 })

export const onDiagnosis = {
  rootCause,
  also: Type.Array(Trouble, { description: 'What was also noticed.' }),
  records: Type.Array(DomainRecord, { description: 'Every record that the owner must have.' }),
  propagation: Type.Unsafe<Propagation | null>(
    nullable(Propagation, 'Null if every record is there and seen everywhere.'),
  ),
  provider: Type.Unsafe<Provider | null>(nullable(Provider, 'Null if nobody could tell, and nothing is guessed.')),
  evidence: Type.Array(Sighting, { maxItems: EVIDENCE_LINES_MAX, description: 'What we saw.' }),
  evidenceAt: { ...TimeOrNull, description: 'When we saw it.' },
}

export const DomainCertificate = Type.Object(
  {
    authority: Type.String({ description: 'Who issued it, as CAA records name it.' }),
    serial: Type.String({ description: 'Its serial number, in hexadecimal digits.' }),
    validFrom: Time,
    validUntil: Time,
    renewsAt: { ...Time, description: 'When we renew it, long before it ends.' },
  },
  { $id: 'DomainCertificate', description: 'The certificate that visitors are shown.' },
)
export type DomainCertificate = Static<typeof DomainCertificate>

export const Domain = Type.Object(
  {
    ...onDomain,
    axes,
    ...onDiagnosis,
    certificate: Type.Unsafe<DomainCertificate | null>(
      nullable(DomainCertificate, 'Null until there is one; it is made and renewed by us.'),
    ),
  },
  { $id: 'Domain', description: 'A hostname of the owner, attached to a project.' },
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
        'The name that visitors also type: `www` of a registered domain, or the domain itself if this is its `www`. Null for other names, and if the project has the sibling already.',
    }),
    isReady: Type.Boolean({ description: 'Whether it would be verified if it were added now.' }),
    needs: Type.Array(Type.String(), {
      description: 'What is needed in DNS, in plain sentences, in the order in which to do it.',
    }),
    ...onDiagnosis,
  },
  { $id: 'DomainCheck', description: 'What would be said of a hostname, without adding it.' },
)
export type DomainCheck = Static<typeof DomainCheck>

export const DomainRemoval = Type.Object(
  {
    removedAt: Time,
    edges: Type.Array(
      Type.Object({
        edge: Type.String({ description: 'Name of the server.' }),
        confirmedAt: { ...TimeOrNull, description: 'When it had confirmed it; null if it has not yet.' },
        isConnected: Type.Boolean({
          description: 'Whether we hear of it. One that is cut off goes on serving what it knows until it is back.',
        }),
      }),
      {
        description: 'Every server that serves visitors, and whether it has confirmed that it serves the name no more.',
      },
    ),
  },
  { $id: 'DomainRemoval' },
)
export type DomainRemoval = Static<typeof DomainRemoval>

export const settingsVersion = Type.Integer({
  minimum: 0,
  maximum: 999_999_999,
  description: 'Rises with each change of primary and redirects.',
})

export const DomainSettings = Type.Object(
  {
    version: settingsVersion,
    primary: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Hostname; null if none is chosen.' }),
    redirects: Type.Array(Redirect, { maxItems: REDIRECTS_MAX }),
  },
  { $id: 'DomainSettings', description: 'How the domains of a project belong together.' },
)
export type DomainSettings = Static<typeof DomainSettings>

export const DomainEvent = Type.Object(
  {
    id: Type.Integer({ minimum: 1, description: 'Counts what happened to the domain.' }),
    at: Time,
    kind: oneOf(domainEventKinds, 'What happened.'),
    code: textOrNull('Code of the cause, if there is one.'),
    detail: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description: 'Of a certificate `authority` and `validUntil`, where there is one.',
    }),
  },
  { $id: 'DomainEvent' },
)
export type DomainEvent = Static<typeof DomainEvent>
export const DomainEvents = Type.Array(DomainEvent, { $id: 'DomainEvents', maxItems: 100 })
