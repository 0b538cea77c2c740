// Domains as the server returns them, produced by the server's own judging and views from
// evidence that is defined here. A table gives the lifecycle state for each status and each
// state of an axis; a new one does not compile until it has its row.

import type { Domain, ShownStatus } from '@petstore-platform/contract/platform/domain-shapes'
import type { StoredCertificate } from '../../server/src/certificates/stored-queries.ts'
import { noAttention } from '../../server/src/domains/lifecycle/attention.ts'
import { nothingReported } from '../../server/src/domains/lifecycle/history-events.ts'
import { causes, type CauseCode } from '../../server/src/domains/causes/causes.ts'
import { evidenceOf, wantedFor } from '../evidence/evidence.ts'
import { nothingKnown } from '../../server/src/domains/observing/evidence.ts'
import { domainJson } from '../../server/src/domains/views/domain-json.ts'
import { judge } from '../../server/src/domains/judging/judge.ts'
import type { Judgement } from '../../server/src/domains/judging/judgement.ts'
import type { DomainRow } from '../../server/src/domains/store/domain-queries.ts'
import { isServed } from '../../server/src/domains/lifecycle/status.ts'
import { trouble, type Trouble } from '../../server/src/domains/judging/trouble.ts'
import { APEX, HOST, TARGET, TOKEN, words } from './placeholder-values.ts'

const MINUTE = 60_000
const DAY = 86_400_000

export type CatalogueScene = {
  hostname?: string
  /** In the form that `evidenceOf` takes. */
  records?: readonly string[]
  life?: Partial<DomainRow>
  /** In place of the troubles that judging found. */
  troubles?: readonly Trouble[]
  redirect?: Domain['redirect']
}

const pointing = [`${HOST} CNAME ${TARGET}`]
const inTheWay = [`${HOST} A 192.0.2.7`]
const atRest = { ownership: 'proven', proof: 'cname', routing: 'pointing' } as const
const served = { ...atRest, certificate: 'deployed' } as const

export function domainOf(
  now: number,
  { hostname = HOST, records = [], life, troubles, redirect = null }: CatalogueScene,
): Domain {
  const wanted = wantedFor(hostname, { target: TARGET, token: TOKEN })
  const delegated = ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com']
  const evidence = evidenceOf({ hostname, apex: APEX, records, checked: records, delegated, at: now - MINUTE })
  const judged = judge({ wanted, evidence, known: nothingKnown }, now)
  const judgement: Judgement = { ...judged, troubles: troubles ?? judged.troubles }
  const row = rowOf(now, hostname, judgement, life)
  const beside = {
    isPrimary: redirect === null && isServed(row),
    redirect,
    verifiedAt: row.ownership === 'proven' ? new Date(now - 2 * MINUTE) : null,
  }
  const certificate = isServed(row) || row.certificate === 'expired' ? certificateOf(now, hostname) : null
  return JSON.parse(domainJson(row, { judgement, evidence, certificate }, beside)) as Domain
}

function rowOf(
  now: number,
  hostname: string,
  { troubles, routing }: Judgement,
  life: CatalogueScene['life'],
): DomainRow {
  const root = troubles.find(({ severity }) => severity !== 'informs')
  return {
    id: '7',
    hostname,
    generation: 1n,
    token: TOKEN,
    tokenGeneration: 1n,
    wasTokenSeen: false,
    staleTokens: [],
    ...nothingReported,
    ...noAttention,
    ownership: 'unproven',
    proof: null,
    routing,
    certificate: 'none',
    rest: null,
    driftChecks: 0,
    driftSince: null,
    addedAt: now - 9 * MINUTE,
    askedAt: now - MINUTE,
    watchedUntil: null,
    checkedAt: now - MINUTE,
    fullyCheckedAt: now - MINUTE,
    cause: root?.code ?? null,
    severity: root && root.severity !== 'informs' ? root.severity : null,
    causeUntil: root?.until ?? null,
    nextCheckAt: now + MINUTE,
    liveAt: life?.certificate === 'deployed' ? now - DAY : null,
    removedAt: null,
    ...life,
  }
}

const certificateOf = (now: number, hostname: string): StoredCertificate => ({
  hostname,
  generation: 1n,
  client: 'one',
  authority: 'letsencrypt.org',
  serial: '04a1b2c3d4',
  notBefore: now - DAY,
  notAfter: now + 89 * DAY,
  chain: '',
  sealId: '',
  sealedKey: Buffer.alloc(0),
  certificateId: null,
  window: null,
  askAt: null,
  renewAt: now + 59 * DAY,
  keptUntil: null,
})

export const statusScenes: Readonly<Record<ShownStatus, CatalogueScene>> = {
  pending_dns: {},
  verifying: { life: { checkedAt: null }, troubles: [] },
  action_required: { records: inTheWay },
  waiting: { records: pointing, troubles: [filled('prop.old_ttl')] },
  issuing: { records: pointing, life: { ...atRest, certificate: 'validating' }, troubles: [] },
  live: { records: pointing, life: served, troubles: [] },
  degraded: { records: inTheWay, life: { ...served, routing: 'drifted' }, troubles: [filled('drift.pointed_away')] },
  paused: { records: pointing, life: { ...served, rest: 'paused' }, troubles: [filled('plan.lapsed')] },
  dormant: { life: { rest: 'dormant' } },
}

type Axes = Domain['axes']

const ownerships: Readonly<Record<Axes['ownership'], CatalogueScene>> = {
  // The state of a name before its first check; the lifecycle of a domain has no such state.
  unknown: { troubles: [] },
  unproven: {},
  proven: { records: pointing, life: atRest, troubles: [] },
  contested: { records: pointing, life: { ownership: 'contested' }, troubles: [filled('own.contested')] },
  lost: { records: inTheWay, life: { ownership: 'lost' } },
}
const routings: Readonly<Record<Axes['routing'], CatalogueScene>> = {
  unknown: { life: { routing: 'unknown' }, troubles: [] },
  missing: {},
  wrong: { life: { routing: 'wrong' }, troubles: [filled('dns.cname_wrong')] },
  conflict: { records: inTheWay, life: { routing: 'conflict' } },
  propagating: { records: pointing, life: { routing: 'propagating' }, troubles: [filled('prop.negative_cache')] },
  pointing: { records: pointing, life: atRest, troubles: [] },
  drifted: statusScenes.degraded,
  unreachable: { life: { routing: 'unreachable' }, troubles: [filled('zone.ns_unreachable')] },
}
const certified = (certificate: Axes['certificate'], code?: CauseCode): CatalogueScene => ({
  records: pointing,
  life: { ...atRest, certificate },
  troubles: code ? [filled(code)] : [],
})
const certificates: Readonly<Record<Axes['certificate'], CatalogueScene>> = {
  none: certified('none'),
  blocked: certified('blocked', 'caa.blocked'),
  queued: certified('queued'),
  validating: certified('validating'),
  issued: certified('issued'),
  deployed: certified('deployed'),
  renewing: certified('renewing'),
  renewal_failing: certified('renewal_failing', 'renew.failing'),
  expired: certified('expired', 'tls.expired'),
  rate_limited: certified('rate_limited', 'ca.rate_limited_failures'),
}
const proofs: Readonly<Record<NonNullable<Axes['proof']>, CatalogueScene>> = {
  cname: { records: pointing, life: atRest, troubles: [] },
  txt: { records: pointing, life: { ...atRest, proof: 'txt' }, troubles: [] },
}
export const axisScenes: Readonly<Record<keyof Axes, Readonly<Record<string, CatalogueScene>>>> = {
  ownership: ownerships,
  routing: routings,
  certificate: certificates,
  proof: proofs,
}

/** A cause, in a lifecycle state in which owners would be shown it. */
export function causeScene(now: number, code: CauseCode): CatalogueScene {
  const { severity } = causes[code]
  const until = severity === 'waits' ? now + 30 * MINUTE : null
  const found = { troubles: [{ ...filled(code), until }] }
  if (code === 'plan.lapsed') return { ...statusScenes.paused, ...found }
  if (code.startsWith('drift.')) return { ...statusScenes.degraded, ...found }
  if (code.startsWith('renew.')) return { ...certificates.renewal_failing, ...found }
  // A warning is shown where nothing else is wrong, and a remark next to it.
  if (severity === 'warns' || severity === 'informs') return { ...statusScenes.live, ...found }
  if (/^(tls|ca|caa)\./.test(code)) return { ...certified('blocked'), ...found }
  return { records: severity === 'waits' ? pointing : inTheWay, ...found }
}

export function filled(code: CauseCode): Trouble {
  return trouble(code, words)
}
