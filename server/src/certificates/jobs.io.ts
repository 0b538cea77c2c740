// The certificate worker: for one hostname, it reads the stored state, takes the next step,
// writes the result, and repeats until there is something to wait for. Every step has a name
// that is passed to `onStep`, so that tests can end the process at each of them. A worker never
// waits here for an authority to decide: it comes back later.

import { checkLeaf } from '../foundation/acme/leaf.io.ts'
import type { Acme, AcmeProblem } from '../foundation/acme/port.ts'
import { lockTimer, type Timer, type TimerWork } from '../foundation/postgres/timer-leases.io.ts'

import type { Context } from '../foundation/context.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { DAY, HOUR, SECOND, type Instant } from '../foundation/time.ts'
import { openAuthorities, type Authorities, type OpenAcme } from './acme-accounts.io.ts'
import * as advance from './advance.io.ts'
import { CLAIM_SECONDS, type Records, type Written } from './advance.io.ts'
import { giveBackUses } from './allowance-queries.ts'
import { challengeRecordOf, challengeTypeOf } from './challenge-type.ts'
import { offerChallenge } from './challenges.io.ts'
import type { Budget } from './budget.ts'
import { newKeyPem, type Keys } from './key-encryption.io.ts'
import { afterPause, authorityFor } from './retry-schedule.ts'
import { PLACEMENTS_MAX, stepOf, type Fact, type CertificateOrder, type OrderStep } from './lifecycle.ts'
import * as observe from './observe.io.ts'
import { BAD_CERTIFICATE, classOf, INTERRUPTED, isUnused, KEY_LOST, problemOf, selfCheckProblem } from './problems.ts'
import { nextRenewalInfoAt, shareOf } from './renewal.ts'

/** Fetches the challenge response as the authority would; if that fails, returns a code of the list of causes. */
export type SelfCheck = (
  hostname: string,
  token: string,
  keyAuthorization: string,
) => Promise<{ ok: true } | { ok: false; code: string; detail: string }>

/** TXT records of challenges. Each returns undefined, or what went wrong, in words without a full stop. */
export type ChallengeRecords = {
  /** Again without effect if the zone has it. */
  present(name: string, value: string): Promise<string | undefined>
  remove(name: string, value: string): Promise<string | undefined>
  /** Undefined once all nameservers of the zone show it. */
  missing(name: string, value: string): Promise<string | undefined>
}

export type CertificateDeps = Pick<Context, 'database' | 'now' | 'newId' | 'randomBytes'> &
  Budget & {
    keys: Keys
    openAcme: OpenAcme
    selfCheck: SelfCheck
    /** Undefined if no zone can be changed here: then no wildcard is ordered. */
    challengeRecords?: ChallengeRecords | undefined
    onStep?: (name: string) => Promise<void> | void
  }

type Working = CertificateDeps & { authorities: Authorities; onStep: (name: string) => Promise<void> | void }
/** The order whose intent this worker wrote itself, and when; so no other worker can have placed it yet. */
type Intent = { order: string | null; takenAt: Instant | null }

/** More steps than any order has; a longer run continues later. */
const STEPS_MAX = 20

export function certificateWork(deps: CertificateDeps): TimerWork {
  const authorities = openAuthorities(deps, deps.keys, deps.openAcme)
  const working: Working = { ...deps, authorities, onStep: deps.onStep ?? (() => {}) }
  return { work: (due) => workOn(working, due), claimSeconds: CLAIM_SECONDS }
}

async function workOn(deps: Working, due: Timer): Promise<number | void> {
  const intent: Intent = { order: null, takenAt: null }
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    const records = await advance.readRecords(deps.database.run, due.id)
    if (!records) return undefined
    await advance.notifyRequester(deps, records.desired)
    await deps.onStep('told')
    const now = deps.now()
    const doing = doingOf(records, now)
    if ('restUntil' in doing) return Math.max(0, ((doing.restUntil ?? now + DAY) - now) / SECOND)
    // Another worker has taken over, and has set its timer.
    if ((await perform(deps, due, records, doing.step, intent)) === 'late') return 1
  }
  return 1
}

type Doing = { step: OrderStep | 'renew' | 'ask_window' } | { restUntil: Instant | null }

export function doingOf({ desired, order, certificate }: Records, now: Instant): Doing {
  // The sweep deletes the row; until then there is nothing to do.
  if (desired.droppedAt !== null) return { restUntil: Math.max(desired.keptUntil ?? now, now + HOUR) }
  if (order) return stepOf(order, now)
  if (!certificate || certificate.renewAt <= now) return { step: 'renew' }
  if (certificate.askAt !== null && certificate.askAt <= now) return { step: 'ask_window' }
  return { restUntil: Math.min(certificate.renewAt, certificate.askAt ?? certificate.renewAt) }
}

async function perform(
  deps: Working,
  due: Timer,
  records: Records,
  step: Exclude<Doing, { restUntil: unknown }>['step'],
  intent: Intent,
): Promise<Written> {
  const { order } = records
  if (step === 'renew') return advance.beginOrder(deps, due, records)
  if (step === 'ask_window') return fetchWindow(deps, records)
  if (!order) return 'late'
  if (step === 'begin') return begin(deps, due, records, order, intent)
  if (step === 'place') return place(deps, due, records, order, intent)
  if (step === 'try_again') return advance.record(deps, due, order, { kind: 'wait_ended' })
  if (step === 'give_up') return recordOutcome(deps, due, order, observe.givenUp(order))
  return withAuthority(deps, due, order, async (acme) => {
    const request = requestOf(deps, order, acme)
    if (step === 'collect') return collect(deps, due, records, order, request)
    const fact = await (step === 'validate' ? observe.validate(request) : observe.poll(request))
    await deps.onStep(step === 'validate' ? 'validation_asked' : 'order_polled')
    return recordOutcome(deps, due, order, fact)
  })
}

const requestOf = (deps: Working, order: CertificateOrder, acme: Acme): observe.AuthorityRequest => ({
  acme,
  order,
  now: deps.now,
  offer: ({ token, keyAuthorization }) => publish(deps, { hostname: order.hostname, token, keyAuthorization }),
  onStep: deps.onStep,
})

type Offered = { hostname: string; token: string; keyAuthorization: string }

/** Publishes the response to a challenge; returns what the authority would still miss. */
async function publish(deps: Working, offered: Offered): Promise<string | undefined> {
  if (challengeTypeOf(offered.hostname) === 'http-01') {
    await offerChallenge(deps, offered)
    return undefined
  }
  const { challengeRecords } = deps
  const name = challengeRecordOf(offered.hostname)
  return (await present(deps, offered)) ?? (await challengeRecords?.missing(name, offered.keyAuthorization))
}

/** Adds the TXT record, after it was stored that there may be one. */
async function present(deps: Working, offered: Offered): Promise<string | undefined> {
  const { challengeRecords } = deps
  if (!challengeRecords) return 'A wildcard needs DNS_UPDATE_SERVER with DNS_UPDATE_KEY, or DNS_UPDATE_HOOK'
  await offerChallenge(deps, offered)
  await deps.onStep('record_stored')
  return challengeRecords.present(challengeRecordOf(offered.hostname), offered.keyAuthorization)
}

/**
 * What would fail at the authority is tried first where it costs nothing: the file is fetched, and the zone is changed.
 * Whether the nameservers show the change is not waited for here: some need minutes, which an open order has.
 */
async function checkBefore(deps: Working, hostname: string): ReturnType<SelfCheck> {
  const token = deps.randomBytes(32).toString('base64url')
  if (challengeTypeOf(hostname) === 'dns-01') {
    const problem = await present(deps, { hostname, token, keyAuthorization: token })
    return problem === undefined ? { ok: true } : { ok: false, code: 'ca.malformed', detail: problem }
  }
  await offerChallenge(deps, { hostname, token, keyAuthorization: `${token}.self-check` })
  await deps.onStep('self_check_offered')
  return deps.selfCheck(hostname, token, `${token}.self-check`)
}

/** Chooses an authority, runs the self-check, and stores the intent of the order that is about to be placed. */
async function begin(
  deps: Working,
  due: Timer,
  records: Records,
  order: CertificateOrder,
  intent: Intent,
): Promise<Written> {
  const { desired, certificate } = records
  const { hostname, generation } = order
  const resting = await deps.authorities.resting(desired.authorities)
  const authority = authorityFor(desired.authorities, order.outages, (one) => resting.has(one))
  const pause = resting.get(authority)
  if (pause) {
    const served = order.isRenewal && certificate ? certificate : null
    const until = afterPause(pause, { share: shareOf(`${hostname} ${pause.outages}`), served }, deps.now())
    return advance.record(deps, due, order, { kind: 'deferred', until })
  }

  // No request goes to the hostname's servers or the authority for what cannot be ordered yet.
  const shortage = await advance.foreseenShortage(deps, authority, desired, order)
  if (shortage !== null) {
    const waits = { kind: 'deferred', until: deps.now() } as const
    return advance.record(deps, due, order, waits, (db, found) => advance.putOff(db, found, shortage))
  }

  const checked = await checkBefore(deps, hostname)
  if (!checked.ok) return recordOutcome(deps, due, order, failedBy(selfCheckProblem(checked.code, checked.detail)))
  await deps.onStep('self_checked')

  const ready = await deps.authorities.use(authority)
  if (!ready.ok) return recordOutcome(deps, due, { ...order, authority }, failedBy(ready.problem))
  await deps.onStep('account_ready')
  const sealedKey = deps.keys.seal(newKeyPem(), { hostname, generation, purpose: 'certificate' })
  const fact = { kind: 'intent_stored', authority, sealedKey } as const
  const written = await advance.record(deps, due, order, fact, takeFor(deps, authority, intent, order))
  await deps.onStep('intent_stored')
  return written
}

const takeFor = (
  deps: Working,
  authority: string,
  intent: Intent,
  { id }: CertificateOrder,
): ReturnType<typeof advance.take> => {
  const take = advance.take(deps, authority)
  return async (db, records) => {
    const instead = await take(db, records)
    Object.assign(intent, instead ? { order: null, takenAt: null } : { order: id, takenAt: records.now })
    return instead
  }
}

/**
 * Places the order once per intent. A worker that finds an intent of another worker cannot know whether that one
 * placed it.
 */
async function place(
  deps: Working,
  due: Timer,
  records: Records,
  order: CertificateOrder,
  intent: Intent,
): Promise<Written> {
  const { desired, certificate } = records
  const { authority } = order
  if (authority === null) return 'late'
  if (intent.order !== order.id) {
    if (order.placements >= PLACEMENTS_MAX) {
      return recordOutcome(deps, due, order, failedBy(problemOf(INTERRUPTED, 'The attempt was interrupted twice.')))
    }
    return advance.record(deps, due, order, { kind: 'placed_again' }, takeFor(deps, authority, intent, order))
  }
  return withAuthority(deps, due, order, async (acme) => {
    // A worker that was stopped for longer than its lease must not place an order that another one has placed in the
    // meantime.
    if (!(await lockTimer(deps.database.run, due, CLAIM_SECONDS))) return 'late'
    // Another authority does not know the certificate to replace.
    const replaces = certificate?.authority === authority ? order.replaces : null
    const placed = await observe.place(requestOf(deps, { ...order, replaces }, acme))
    if (placed === 'not_replaceable') return advance.record(deps, due, order, { kind: 'replacement_refused' })
    intent.order = null
    if (!placed.ok)
      return recordOutcome(deps, due, order, failedBy(placed.problem), giveBack(desired, order, intent, placed.problem))
    await deps.authorities.recordProblem(authority, null)
    const written = await advance.record(deps, due, order, { kind: 'order_placed', url: placed.value.url })
    await deps.onStep('order_placed')
    return written
  })
}

type Also = (db: Db) => Promise<void>

/** Returns the budget of an order that the authority certainly did not create. */
const giveBack =
  (
    desired: Records['desired'],
    { authority, isRenewal }: CertificateOrder,
    { takenAt }: Intent,
    problem: AcmeProblem,
  ): Also =>
  async (db) => {
    if (authority === null || takenAt === null || !isUnused(problem)) return
    await giveBackUses(db, authority, { ...desired, isRenewal }, takenAt)
  }

async function collect(
  deps: Working,
  due: Timer,
  { certificate }: Records,
  order: CertificateOrder,
  request: observe.AuthorityRequest,
): Promise<Written> {
  const { hostname, generation, sealedKey } = order
  const keyPem = sealedKey && deps.keys.open(sealedKey, { hostname, generation, purpose: 'certificate' })
  if (!keyPem)
    return recordOutcome(deps, due, order, failedBy(problemOf(KEY_LOST, 'The key of the order cannot be opened.')))
  const collected = await observe.collect(request, keyPem)
  if ('kind' in collected) return recordOutcome(deps, due, order, collected)
  const replacesNotAfter = certificate?.notAfter ?? null
  const verdict = checkLeaf({ ...collected, hostname, keyPem, now: deps.now(), replacesNotAfter })
  if (!verdict.ok) return recordOutcome(deps, due, order, failedBy(problemOf(BAD_CERTIFICATE, verdict.reason)))
  const endsEarlier = problemOf(BAD_CERTIFICATE, 'It ends before the one that it is to replace.')
  const written = await advance.storeCertificate(deps, due, order, verdict.leaf, failedBy(endsEarlier))
  await deps.onStep('certificate_stored')
  return written
}

/** The suggestion is optional: nothing depends on it. */
async function fetchWindow(deps: Working, { certificate }: Records): Promise<Written> {
  if (!certificate) return 'late'
  const ready = await deps.authorities.use(certificate.authority)
  const answer = ready.ok ? await ready.value.renewalInfo(certificate.certificateId ?? '') : ready
  const info = answer.ok ? answer.value : null
  const retryAfterMs = answer.ok ? (info?.retryAfterMs ?? null) : answer.problem.retryAfterMs
  const window = info ? { start: info.start, end: info.end } : certificate.window
  await advance.saveSuggestion(deps, certificate, window, nextRenewalInfoAt(certificate, retryAfterMs, deps.now()))
  await deps.onStep('window_asked')
  return 'done'
}

async function withAuthority(
  deps: Working,
  due: Timer,
  order: CertificateOrder,
  work: (acme: Acme) => Promise<Written>,
): Promise<Written> {
  const ready = await deps.authorities.use(order.authority ?? '')
  return ready.ok ? work(ready.value) : recordOutcome(deps, due, order, failedBy(ready.problem))
}

const failedBy = (problem: AcmeProblem): Fact => ({ kind: 'attempt_failed', problem, isCounted: false })

/** Writes the fact; a failure that concerns the whole authority is recorded for all clients. */
async function recordOutcome(
  deps: Working,
  due: Timer,
  order: CertificateOrder,
  fact: Fact,
  also?: Also,
): Promise<Written> {
  if (fact.kind === 'attempt_failed' && order.authority !== null && classOf(fact.problem) !== 'self_check') {
    await deps.authorities.recordProblem(order.authority, fact.problem)
  }
  return advance.record(deps, due, order, fact, also)
}

/** After more than an hour the record is left where it is: it proves nothing to anyone any longer. */
const REMOVALS_MAX = 20

/** Removes the TXT records of challenges whose orders have ended. */
export const challengeRecordWork = ({ challengeRecords }: Pick<CertificateDeps, 'challengeRecords'>): TimerWork => ({
  claimSeconds: CLAIM_SECONDS,
  work: async ({ id, attempts }) => {
    const [name = '', value = ''] = id.split(' ')
    const problem = challengeRecords ? await challengeRecords.remove(name, value) : 'no DNS updates are configured'
    if (problem !== undefined && attempts <= REMOVALS_MAX)
      throw new Error(`The TXT record ${name} was not removed: ${problem}.`)
  },
})
