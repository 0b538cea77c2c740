// The only writer of certificates. Every change of one is a single transaction over the desired
// certificate, its order, what is stored and the rate limit budget that was used at the
// authority: all of it is written, or nothing. No transaction is open while a worker waits for
// an authority. Rows are always locked in one order: the timer of the requester, the desired
// certificate, the authority's account, our own timer.
//
// Fencing: a worker writes only while its lease holds, the order is the one that it read, and
// the desired certificate still has the order's generation. So nothing of an older generation
// is ever stored, however late it arrives.

import type { Context } from '../foundation/context.ts'
import { lockTimer, setTimer, type Timer } from '../foundation/postgres/timer-leases.io.ts'
import type { CheckedLeaf } from '../foundation/acme/leaf.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { DAY, MINUTE, SECOND, type Instant } from '../foundation/time.ts'
import * as allowanceQueries from './allowance-queries.ts'
import { laterBy, paced, reservedShortageOf, shortageOf, type Budget, type Used } from './budget.ts'
import { endChallenges } from './challenges.io.ts'
import { sealIdOf, type Keys } from './key-encryption.io.ts'
import { allowedAt, AUTOMATIC_PER_HOUR, isNearEnd } from './retry-schedule.ts'
import { firstOrder, next, type Fact, type CertificateOrder } from './lifecycle.ts'
import * as queries from './certificate-queries.ts'
import type { Requester, DesiredCertificate } from './certificate-queries.ts'
import { renewAt, shareOf, type SuggestedWindow } from './renewal.ts'
import { certificateStatusOf, type CertificateStatus } from './certificate-status.ts'
import * as stored from './stored-queries.ts'
import type { StoredCertificate } from './stored-queries.ts'

export const CERTIFICATE_DUE = 'certificate'
/** The lease of a worker that does not report back; no call to an authority takes as long. */
export const CLAIM_SECONDS = 30
/** For how long a removed certificate is kept, so that adding the hostname again costs no order. */
export const KEPT = 30 * DAY

export type CertificateRequest = {
  hostname: string
  /** Raised whenever the hostname changes hands. */
  generation: bigint
  /** The client among which the budget is divided fairly; opaque. */
  client: string
  /** The registrable domain, by which authorities count. */
  registered: string
  /** The authorities that may issue it, the preferred one first. */
  authorities: readonly string[]
  /** A digest of its DNS evidence; when it changes, an order that waits for that is tried again. */
  evidence: string
  /** The timer that is set to now when something has changed. */
  notify: Requester
}

/** `there`: it was requested before, or is served already. `outdated`: a later generation has it. */
export type Requested = 'ordered' | 'taken_over' | 'there' | 'outdated'

/**
 * Requests a certificate, in the caller's transaction. Idempotent; with different evidence it wakes an order that
 * waits for it.
 */
export async function requestCertificate(
  db: Db,
  { keys, now: clock, newId }: Pick<Context, 'now' | 'newId'> & { keys: Keys },
  request: CertificateRequest,
): Promise<Requested> {
  const { hostname, generation } = request
  await queries.createDesired(db, request)
  const found = await queries.lockDesired(db, hostname)
  if (!found || found.generation > generation) return 'outdated'
  const now = clock()
  const isNewer = generation > found.generation || found.droppedAt !== null
  const desired: DesiredCertificate = { ...found, ...request, droppedAt: null, keptUntil: null }
  if (isNewer) await supersede(db, found, generation, now)
  await queries.saveDesired(db, desired)
  if (isNewer && (await takeKept(db, keys, desired, now))) return 'taken_over'
  const order = await queries.findOrder(db, hostname)
  if (order) return (await wakeByEvidence(db, desired, order, now), 'there')
  if (await stored.findCertificate(db, hostname, generation)) return 'there'
  await insertFirst(db, newId('cor'), desired, now)
  return 'ordered'
}

/**
 * Added again in time by the same client: the kept certificate is served under the new generation, without an order.
 */
async function takeKept(db: Db, keys: Keys, desired: DesiredCertificate, now: Instant): Promise<boolean> {
  const { hostname, generation, client } = desired
  const kept = await stored.findKept(db, hostname, client, now)
  if (!kept) return false
  const purpose = 'certificate'
  const from = { hostname, generation: kept.generation, purpose } as const
  const sealedKey = keys.reseal(kept.sealedKey, from, { hostname, generation, purpose })
  if (sealedKey === null) return false
  await stored.moveCertificate(db, kept, generation, { sealId: keys.sealId, sealedKey })
  await setCertificateTimer(db, hostname, Math.min(kept.renewAt, kept.askAt ?? kept.renewAt), now)
  return true
}

/** Ends an order in progress for an older generation. */
async function supersede(db: Db, desired: DesiredCertificate, generation: bigint, now: Instant): Promise<void> {
  const { hostname } = desired
  const order = await queries.findOrder(db, hostname)
  if (order)
    await queries.saveOrder(db, next(order, { kind: 'superseded' }, around(desired, undefined, now), now).order)
  await endChallenges(db, hostname)
  await stored.keepOlder(db, hostname, generation, now + KEPT)
}

async function insertFirst(db: Db, id: string, desired: DesiredCertificate, now: Instant): Promise<void> {
  const { hostname, generation, evidence } = desired
  const wanted = { id, hostname, generation, isRenewal: false, replaces: null, evidence }
  const at = Math.max(await pace(db, desired.client, now), allowedAt(desired.failedAt, AUTOMATIC_PER_HOUR, now))
  await queries.insertOrder(db, firstOrder(wanted, now, at))
  await setCertificateTimer(db, hostname, at, now)
}

async function pace(db: Db, client: string, now: Instant): Promise<Instant> {
  const { at, freeAt } = paced(await allowanceQueries.lockClient(db, client, now), now)
  await allowanceQueries.saveClient(db, client, freeAt)
  return at
}

async function wakeByEvidence(
  db: Db,
  desired: DesiredCertificate,
  order: CertificateOrder,
  now: Instant,
): Promise<void> {
  const { evidence } = desired
  const after = next(order, { kind: 'evidence_changed', evidence }, around(desired, undefined, now), now).order
  if (after.nextAt === order.nextAt || after.nextAt === null) return
  const nextAt = Math.max(after.nextAt, await pace(db, desired.client, now))
  await queries.saveOrder(db, { ...after, nextAt })
  await setCertificateTimer(db, desired.hostname, nextAt, now)
}

/**
 * Re-verify: tries at once, or at the first moment that is allowed. Returns that time; null if there is nothing to
 * try.
 */
export async function retryNow(db: Db, { now: clock }: Pick<Context, 'now'>, hostname: string) {
  const desired = await queries.lockDesired(db, hostname)
  const order = desired && (await queries.findOrder(db, hostname))
  if (!order || desired.droppedAt !== null) return null
  const now = clock()
  // It is queued already, and repeated requests must not move it to the end of the queue.
  if (order.isAsked && order.nextAt !== null) return order.nextAt
  const { order: after } = next(order, { kind: 'asked' }, around(desired, undefined, now), now)
  if (after === order || after.nextAt === null) return order.nextAt
  const nextAt = Math.max(after.nextAt, await pace(db, desired.client, now))
  await queries.saveOrder(db, { ...after, nextAt })
  await setCertificateTimer(db, hostname, nextAt, now)
  return nextAt
}

/** The certificate is no longer wanted: it is neither served nor renewed, and is kept for a while. */
export async function dropCertificate(db: Db, { now: clock }: Pick<Context, 'now'>, hostname: string) {
  const desired = await queries.lockDesired(db, hostname)
  if (!desired || desired.droppedAt !== null) return
  const now = clock()
  await supersede(db, desired, desired.generation + 1n, now)
  await queries.saveDesired(db, { ...desired, droppedAt: now, keptUntil: now + KEPT })
  await setCertificateTimer(db, hostname, now + KEPT, now)
}

/** The certificate to serve for this generation, if it is valid now. Its key is still encrypted. */
export async function findServable(db: Db, hostname: string, generation: bigint, now: Instant) {
  const certificate = await stored.findCertificate(db, hostname, generation)
  return certificate && certificate.notAfter > now ? certificate : undefined
}

/** The status for the requester; undefined if no certificate is wanted. */
export async function stateOf(db: Db, hostname: string, now: Instant): Promise<CertificateStatus | undefined> {
  const desired = await queries.findDesired(db, hostname)
  if (!desired || desired.droppedAt !== null) return undefined
  const order = await queries.findOrder(db, hostname)
  const certificate = await stored.findCertificate(db, hostname, desired.generation)
  return certificateStatusOf(desired.generation, order ?? null, certificate ?? null, now)
}

const setCertificateTimer = (db: Db, hostname: string, at: Instant, now: Instant) =>
  setTimer(db, { kind: CERTIFICATE_DUE, project: 0n, id: hostname }, Math.max(0, (at - now) / SECOND))

/** The context of an order. A certificate that has expired is not served, and protects nothing. */
const around = (desired: DesiredCertificate, certificate: StoredCertificate | undefined, now: Instant) => ({
  authorities: desired.authorities,
  failedAt: desired.failedAt,
  evidence: desired.evidence,
  served: certificate && certificate.notAfter > now ? certificate : null,
})

/** What a worker has read about a hostname. */
export type Records = {
  desired: DesiredCertificate
  order: CertificateOrder | undefined
  certificate: StoredCertificate | undefined
}

export async function readRecords(db: Db, hostname: string): Promise<Records | undefined> {
  const desired = await queries.findDesired(db, hostname)
  if (!desired) return undefined
  const order = await queries.findOrder(db, hostname)
  return { desired, order, certificate: await stored.findCertificate(db, hostname, desired.generation) }
}

/** `late`: another worker has it, or it is no longer what was read; nothing was written. */
export type Written = 'done' | 'late'

/** Applies a fact to an order; `also` runs in the same transaction, and may return another fact instead. */
export const record = (
  { database, now: clock }: Pick<Context, 'database' | 'now'>,
  due: Timer,
  seen: CertificateOrder,
  fact: Fact,
  also?: (
    db: Db,
    records: { desired: DesiredCertificate; order: CertificateOrder; now: Instant },
  ) => Promise<Fact | void>,
): Promise<Written> =>
  database
    .transaction({}, async (db) => {
      const desired = await queries.lockDesired(db, seen.hostname)
      const order = desired && (await queries.findOrder(db, seen.hostname))
      if (!order || order.id !== seen.id || order.state !== seen.state) return 'late'
      const isOurs = desired.generation === order.generation && desired.droppedAt === null
      if (!isOurs || order.placements !== seen.placements) return 'late'
      const now = clock()
      const instead = await also?.(db, { desired, order, now })
      if (!(await lockTimer(db, due, CLAIM_SECONDS))) throw new Late()
      const certificate = await stored.findCertificate(db, desired.hostname, desired.generation)
      const after = next(order, instead ?? fact, around(desired, certificate, now), now)
      const nextAt = await pacedAfterFailure(db, desired, after.order, now)
      if (!(await queries.saveOrder(db, { ...after.order, nextAt }))) throw new Late()
      const changes = after.isNotified ? desired.changes + 1 : desired.changes
      await queries.saveDesired(db, { ...desired, changes, failedAt: after.failedAt })
      if (after.order.endedAt !== null || after.order.state === 'failed') await endChallenges(db, desired.hostname)
      return 'done'
    })
    .catch((error: unknown) => {
      if (error instanceof Late) return 'late'
      throw error
    })

/** A failed attempt is retried at its client's pace. Renewals are not paced: they keep sites up. */
async function pacedAfterFailure(
  db: Db,
  { client }: DesiredCertificate,
  { state, isRenewal, nextAt }: CertificateOrder,
  now: Instant,
) {
  if (state !== 'failed' || isRenewal || nextAt === null) return nextAt
  return Math.max(nextAt, await pace(db, client, now))
}

/** Undoes what the transaction has done so far. */
class Late extends Error {}

/** Counts the order that is about to be placed, or defers it because the budget is used up. */
export const take =
  (
    budget: Budget,
    authority: string,
  ): ((
    db: Db,
    records: { desired: DesiredCertificate; order: CertificateOrder; now: Instant },
  ) => Promise<Fact | void>) =>
  async (db, { desired, order, now }) => {
    await allowanceQueries.lockAccount(db, authority)
    const request = { ...desired, isRenewal: order.isRenewal }
    const used = await allowanceQueries.readUses(db, authority, request, now)
    const shortage = shortageFor(budget, desired.hostname, used, order.isRenewal)
    if (shortage === null) return void (await allowanceQueries.takeUses(db, authority, request, now))
    return putOff(db, { desired, order, now }, shortage)
  }

type Shortage = NonNullable<ReturnType<typeof shortageOf>>

/** Whether an attempt now would exceed the budget; checked before any request is sent, and decided only by `take`. */
export async function foreseenShortage(
  { database, now, ...budget }: Pick<Context, 'database' | 'now'> & Budget,
  authority: string,
  desired: DesiredCertificate,
  { isRenewal }: CertificateOrder,
): Promise<Shortage | null> {
  const used = await allowanceQueries.readUses(database.run, authority, { ...desired, isRenewal }, now())
  return shortageFor(budget, desired.hostname, used, isRenewal)
}

const shortageFor = (
  { allowance, isReserved }: Budget,
  hostname: string,
  used: Used,
  isRenewal: boolean,
): Shortage | null => (isReserved?.(hostname) ? reservedShortageOf : shortageOf)(allowance, used, isRenewal)

/** Deferred orders come back at their client's pace, so that thousands of them do not come at once. */
export async function putOff(
  db: Db,
  { desired, order, now }: { desired: DesiredCertificate; order: CertificateOrder; now: Instant },
  shortage: Shortage,
): Promise<Fact> {
  const served = order.isRenewal ? await stored.findCertificate(db, desired.hostname, desired.generation) : undefined
  const hasTime = served !== undefined && !isNearEnd(served, now)
  const share = shareOf(`${desired.hostname} ${Math.floor(now / MINUTE)}`)
  const later = now + laterBy(shortage, share, hasTime)
  return { kind: 'deferred', until: order.isRenewal ? later : Math.max(later, await pace(db, desired.client, now)) }
}

/** The certificate was issued: it replaces the one that it renews, unless that expires later. */
export const storeCertificate = (
  context: Pick<Context, 'database' | 'now'>,
  due: Timer,
  seen: CertificateOrder,
  leaf: CheckedLeaf,
  refused: Fact,
): Promise<Written> =>
  record(context, due, seen, { kind: 'certificate_stored' }, async (db, { desired, order, now }) => {
    const { hostname, generation, client } = desired
    const { authority, sealedKey } = order
    if (authority === null || sealedKey === null) return refused
    const { serial, notBefore, notAfter, chainPem: chain, certificateId } = leaf
    const renewal = renewAt({ hostname, serial, notBefore, notAfter }, null)
    const isStored = await stored.storeCertificate(db, {
      hostname,
      generation,
      client,
      authority,
      serial,
      notBefore,
      notAfter,
      chain,
      sealId: sealIdOf(sealedKey),
      sealedKey,
      certificateId,
      askAt: certificateId === null ? null : now,
      renewAt: renewal,
    })
    return isStored ? undefined : refused
  })

/** A renewal is due, or a desired certificate has neither an order nor a certificate. */
export const beginOrder = (
  { database, now: clock, newId }: Pick<Context, 'database' | 'now' | 'newId'>,
  due: Timer,
  { desired: seen, certificate }: Records,
): Promise<Written> =>
  database.transaction({}, async (db) => {
    const desired = await queries.lockDesired(db, seen.hostname)
    if (!desired || desired.generation !== seen.generation || desired.droppedAt !== null) return 'late'
    if (await queries.findOrder(db, desired.hostname)) return 'late'
    if (!(await lockTimer(db, due, CLAIM_SECONDS))) return 'late'
    const { hostname, generation, evidence } = desired
    const isRenewal = certificate !== undefined
    const replaces = certificate?.certificateId ?? null
    const now = clock()
    await queries.insertOrder(
      db,
      firstOrder({ id: newId('cor'), hostname, generation, isRenewal, replaces, evidence }, now, now),
    )
    return 'done'
  })

/** Stores the renewal window that the authority suggests. */
export const saveSuggestion = (
  { database }: Pick<Context, 'database'>,
  certificate: StoredCertificate,
  window: SuggestedWindow | null,
  askAt: Instant,
) => stored.saveWindow(database.run, certificate, window, { askAt, renewAt: renewAt(certificate, window) })

/** Wakes the requester, which reads the status itself. Repeated after a crash, and never lost. */
export async function notifyRequester(
  { database }: Pick<Context, 'database'>,
  desired: DesiredCertificate,
): Promise<void> {
  if (desired.notified >= desired.changes) return
  await database.transaction({}, async (db) => {
    await setTimer(db, desired.notify, 0)
    await queries.recordNotified(db, desired.hostname, desired.changes)
  })
}
