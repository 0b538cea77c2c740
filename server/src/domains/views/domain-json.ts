// The JSON of a domain in the API. All of it is derived: the status from the axes, the root
// cause from the last judgement. Every status that promises a reason has one.

import type {
  Domain,
  DomainCertificate,
  DomainCheck,
  DomainEvent,
  DomainRecord,
  DomainRemoval,
  DomainSettings,
  DomainSummary,
  Trouble as ShownTrouble,
  HeldRecord,
  Propagation,
} from '@petstore-platform/contract/platform/domain-shapes'
import type { DnsInstructions } from '@petstore-platform/contract/platform/domain-sharing'
import type { StoredCertificate } from '../../certificates/stored-queries.ts'
import type { Confirmation } from '../../fleet/confirmations.ts'
import { duration, timeOfDay } from '../judging/format.ts'
import type { Judgement, RecordAdvice } from '../judging/judgement.ts'
import { firstCheckOf } from '../lifecycle/light-check.ts'
import { shownCauseOf, shownTroubleOf } from '../lifecycle/shown-cause.ts'
import { shownName, statusOf, type Status } from '../lifecycle/status.ts'
import { kindOf, siblingOf, unicodeOf } from '../naming/names.ts'
import type { Evidence } from '../observing/evidence.ts'
import type { DomainRow } from '../store/domain-queries.ts'
import { observationsOf } from './observation-lines.ts'
import { needsOf } from './setup-summary.ts'

/** Properties of a domain that are not in its row. */
export type Beside = { isPrimary: boolean; redirect: Domain['redirect']; verifiedAt: Date | null }

export type SeenDomain = { judgement: Judgement; evidence: Evidence | null }

export const domainJson = (
  row: DomainRow,
  seen: SeenDomain & { certificate: StoredCertificate | null },
  beside: Beside,
): string => {
  const status = statusOf(row)
  const { ownership, proof, routing, certificate } = row
  const shown: Domain = {
    ...common(row, status, beside),
    // A domain that was moved to another project is removed here, and never shown.
    axes: { ownership: ownership === 'released' ? 'lost' : ownership, proof, routing, certificate },
    ...diagnosis(seen, shownCauseOf(row, status, seen.judgement), row.checkedAt),
    certificate: seen.certificate && certificateOf(seen.certificate),
  }
  return JSON.stringify(shown)
}

export const summaryJson = (row: DomainRow, judgement: Judgement | null, beside: Beside): string => {
  const status = statusOf(row)
  const rootCause = shownCauseOf(row, status, judgement ?? { troubles: [] })
  const shown: DomainSummary = { ...common(row, status, beside), rootCause }
  return JSON.stringify(shown)
}

/** For `isProofToCome` see `setup-summary.ts`; `sibling` is offered together with the hostname. */
export const checkJson = (
  hostname: string,
  {
    judgement,
    evidence,
    sibling = siblingOf(hostname),
    isProofToCome = false,
  }: SeenDomain & { sibling?: string | null; isProofToCome?: boolean },
): string => {
  const [first] = judgement.troubles
  const shown: DomainCheck = {
    ...namesOf(hostname),
    sibling,
    isReady: isReady(judgement),
    needs: needsOf({ hostname, judgement, isProofToCome }),
    ...diagnosis({ judgement, evidence }, first ? shownTroubleOf(first) : null),
  }
  return JSON.stringify(shown)
}

/** For holders of a share link: what the owner sees of DNS, and of the project only its name. */
export const instructionsJson = (
  row: DomainRow,
  seen: SeenDomain,
  { projectName, expiresAt }: { projectName: string; expiresAt: Date },
): string => {
  const status = statusOf(row)
  const { rootCause, records, propagation, provider, evidenceAt } = diagnosis(
    seen,
    shownCauseOf(row, status, seen.judgement),
    row.checkedAt,
  )
  const shown: DnsInstructions = {
    ...namesOf(row.hostname),
    projectName,
    status: shownName(status),
    rootCause,
    records,
    propagation,
    provider,
    evidenceAt,
    nextCheckAt: timeOf(row.nextCheckAt),
    expiresAt: expiresAt.toISOString(),
  }
  return JSON.stringify(shown)
}

const certificateOf = ({ authority, serial, notBefore, notAfter, renewAt }: StoredCertificate): DomainCertificate => ({
  authority,
  serial,
  validFrom: new Date(notBefore).toISOString(),
  validUntil: new Date(notAfter).toISOString(),
  renewsAt: new Date(renewAt).toISOString(),
})

export const removalJson = ({ removedAt, edges }: { removedAt: number; edges: readonly Confirmation[] }): string => {
  const shown: DomainRemoval = {
    removedAt: new Date(removedAt).toISOString(),
    edges: edges.map(({ edge, confirmedAt, isConnected }) => ({
      edge,
      confirmedAt: confirmedAt && confirmedAt.toISOString(),
      isConnected,
    })),
  }
  return JSON.stringify(shown)
}

/** Whether it would be verified as it is: nothing blocks it, and nothing has to be waited for. */
export const isReady = ({ ownership, routing, troubles }: Judgement): boolean =>
  ownership === 'proven' &&
  routing === 'pointing' &&
  troubles.every(({ severity }) => severity === 'warns' || severity === 'informs')

export const settingsJson = ({ version, primary, redirects }: DomainSettings): string =>
  JSON.stringify({ version, primary, redirects: redirects.map(({ from, to, status }) => ({ from, to, status })) })

type EventRow = Pick<DomainEvent, 'kind' | 'code'> & { number: number; at: Date; detail: string }

export const eventJson = ({ number, at, kind, code, detail }: EventRow): string => {
  const front: Omit<DomainEvent, 'detail'> = { id: number, at: at.toISOString(), kind, code }
  return `${JSON.stringify(front).slice(0, -1)},"detail":${detail}}`
}

const namesOf = (hostname: string) => ({ hostname, displayName: unicodeOf(hostname), kind: kindOf(hostname) })

function common(row: DomainRow, status: Status, { isPrimary, redirect, verifiedAt }: Beside) {
  const { id, hostname, addedAt, nextCheckAt, liveAt, ownership } = row
  return {
    id,
    ...namesOf(hostname),
    status: shownName(status),
    nextCheckAt: timeOf(nextCheckAt),
    until: 'until' in status ? timeOf(status.until) : null,
    isPrimary,
    redirect,
    addedAt: new Date(addedAt).toISOString(),
    verifiedAt: ownership === 'proven' && verifiedAt !== null ? verifiedAt.toISOString() : null,
    liveAt: timeOf(liveAt),
  } as const
}

/** `checkedAt`: the last check, which stores no evidence if it found the same as the one before. */
function diagnosis(
  { judgement, evidence }: SeenDomain,
  rootCause: ShownTrouble | null,
  checkedAt: number | null = null,
) {
  const { troubles, records, provider } = judgement
  return {
    rootCause,
    also: troubles.filter(({ code }) => code !== rootCause?.code).map(shownTroubleOf),
    records: records.map((record) => recordOf(record, records)),
    propagation: propagationOf(judgement, evidence),
    provider: provider && { id: provider.id, name: provider.name, dnsPage: provider.dnsPage },
    evidence: evidence ? observationsOf(evidence) : [],
    evidenceAt: evidence ? timeOf(Math.max(evidence.at, checkedAt ?? 0)) : null,
  }
}

const recordOf = (record: RecordAdvice, records: readonly RecordAdvice[]): DomainRecord => {
  const { isRequired, type, name, fullName, value, ttl, state, action } = record
  return { type, name, fullName, value, ttl, have: linesOf(record, records), state, action, required: isRequired }
}

const timeOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

// Decides what to do with each present DNS record: delete it because it conflicts, change it,
// or keep it. A record with the value of one of the wanted records is never to be deleted,
// whatever becomes of its neighbours.

/** For records with a wrong value. */
const todos: Readonly<Record<RecordAdvice['action'], HeldRecord['todo']>> = {
  keep: 'keep',
  add: 'leave',
  change: 'change',
  delete_others: 'delete',
  wait: 'leave',
}

export function linesOf({ have, action }: RecordAdvice, records: readonly RecordAdvice[]): HeldRecord[] {
  const wanted = new Set(records.map(({ type, value }) => plain(`${type} ${value}`)))
  return [...new Set(have)].map((line) => ({ line, todo: wanted.has(plain(line)) ? 'keep' : todos[action] }))
}

/** The trailing dot that some providers require is not in the value when it is read. */
const plain = (line: string): string => line.toLowerCase().replace(/\.$/, '')

// The propagation note: how long a DNS change can take, shown next to every record that is
// still to be created or detected. Two days at most, minutes as a rule, and the real time
// wherever it is known. There is no note once all records are correct.

const ALWAYS = 'A DNS change can take up to 48 hours to be visible everywhere; most are visible within minutes.'

export function propagationOf({ records, troubles }: Judgement, evidence: Evidence | null): Propagation | null {
  const ends = troubles.flatMap(({ code, until }) => (code.startsWith('prop.') && until !== null ? [until] : []))
  if (ends.length > 0) {
    const until = Math.max(...ends)
    const time = timeOfDay(until, evidence?.at ?? until)
    return { note: `${ALWAYS} Here it takes until about ${time}.`, until: new Date(until).toISOString() }
  }
  if (records.every(({ state }) => state === 'right')) return null
  return { note: [ALWAYS, ...rememberedFor(evidence)].join(' '), until: null }
}

/** A resolver that was queried just now does not query again before its cached answer expires. */
function rememberedFor(evidence: Evidence | null): string[] {
  if (evidence === null) return []
  const { at, rememberedUntil } = firstCheckOf(evidence)
  if (rememberedUntil <= at) return []
  return [`The current value may stay cached for ${duration(rememberedUntil - at)} after you change it.`]
}
