// Requests to the authority about an order, step by step; the result of each step is a fact of
// the order's lifecycle. Nothing is written here but the response to a challenge, which must be
// stored before the authority validates. Each step can be repeated after a crash: it fetches
// the order's state before it requests more.

import type { Acme, AcmeOrder, AcmeProblem, AcmeResult } from '../foundation/acme/port.ts'
import { SECOND, type Instant } from '../foundation/time.ts'
import { challengeTypeOf } from './challenge-type.ts'
import { pollAt, type Fact, type CertificateOrder } from './lifecycle.ts'
import { classOf, problemOf, STUCK } from './problems.ts'

export type AuthorityRequest = {
  acme: Acme
  order: CertificateOrder
  now: () => Instant
  /**
   * Publishes the response to a challenge, to the servers of the hostname or as a record of its zone. Returns what is
   * missing before the authority can see it, in words.
   */
  offer: (challenge: { token: string; keyAuthorization: string }) => Promise<string | undefined>
  onStep: (name: string) => Promise<void> | void
}

/** Places the order; distinguishes a refusal to replace from other refusals. */
export async function place({
  acme,
  order,
  onStep,
}: AuthorityRequest): Promise<AcmeResult<AcmeOrder> | 'not_replaceable'> {
  const placed = await acme.placeOrder(order.hostname, { replaces: order.replaces })
  await onStep('order_asked')
  if (!placed.ok && order.replaces !== null && isAboutReplacing(placed.problem)) return 'not_replaceable'
  return placed
}

/** RFC 9773, 5: `alreadyReplaced`; or the authority does not know, or does not accept, the certificate to replace. */
const isAboutReplacing = ({ type, detail }: AcmeProblem) =>
  type === 'alreadyReplaced' || (type === 'malformed' && /replac/i.test(detail))

/** Publishes the challenge responses, and requests validation. */
export async function validate(request: AuthorityRequest): Promise<Fact> {
  const { acme, order, now, offer, onStep } = request
  const found = await acme.readOrder(order.orderUrl ?? '')
  if (!found.ok) return noResponse(request, found.problem)
  const { status, authorizations } = found.value
  if (status === 'invalid') return refused(await whyInvalid(acme, found.value, order.hostname))
  if (status !== 'pending') return { kind: 'authorization_valid' }
  for (const url of authorizations) {
    const type = challengeTypeOf(order.hostname)
    const authorization = await acme.readAuthorization(url, type)
    if (!authorization.ok) return noResponse(request, authorization.problem)
    const { status: state, challenge } = authorization.value
    if (state === 'valid') continue
    if (state !== 'pending') return refused(challenge?.problem ?? problemOf('unauthorized', `It is ${state}.`))
    if (!challenge) return refused(problemOf('malformed', `The authority offers no ${type}.`))
    const missing = await offer(challenge)
    await onStep('challenge_stored')
    if (missing !== undefined) return { kind: 'polled', until: pollAt(order.placedAt ?? now(), RECORD_MS, now()) }
    if (challenge.status !== 'pending') continue
    const answered = await acme.answerChallenge(challenge)
    await onStep('challenge_answered')
    if (!answered.ok) return noResponse(request, answered.problem)
  }
  return { kind: 'validation_asked' }
}

/** Polls whether the authority has validated. */
export async function poll(request: AuthorityRequest): Promise<Fact> {
  const { acme, order, now } = request
  const found = await acme.readOrder(order.orderUrl ?? '')
  if (!found.ok) return noResponse(request, found.problem)
  const { status, retryAfterMs } = found.value
  if (status === 'invalid') return refused(await whyInvalid(acme, found.value, order.hostname))
  if (status !== 'pending') return { kind: 'authorization_valid' }
  return { kind: 'polled', until: pollAt(order.placedAt ?? now(), retryAfterMs, now()) }
}

/** Finalizes the order if that was not requested yet, and fetches the certificate if it is ready. */
export async function collect(request: AuthorityRequest, keyPem: string): Promise<Fact | { chainPem: string }> {
  const { acme, order, now, onStep } = request
  const found = await acme.readOrder(order.orderUrl ?? '')
  if (!found.ok) return noResponse(request, found.problem)
  const finalized = found.value.status === 'ready' ? await acme.finalize(found.value, order.hostname, keyPem) : found
  await onStep('finalize_asked')
  if (!finalized.ok) return noResponse(request, finalized.problem)
  const { status, certificate, retryAfterMs } = finalized.value
  if (status === 'invalid') return failedBy(await whyInvalid(acme, finalized.value, order.hostname), false)
  if (status !== 'valid' || certificate === null) {
    return { kind: 'polled', until: pollAt(order.placedAt ?? now(), retryAfterMs, now()) }
  }
  const downloaded = await acme.download(certificate)
  await onStep('certificate_downloaded')
  return downloaded.ok ? downloaded.value : noResponse(request, downloaded.problem)
}

/** An order may name the reason itself; the reason of a failed challenge is in the authorization. */
async function whyInvalid(acme: Acme, order: AcmeOrder, hostname: string): Promise<AcmeProblem> {
  for (const url of order.authorizations) {
    const authorization = await acme.readAuthorization(url, challengeTypeOf(hostname))
    const problem = authorization.ok ? authorization.value.challenge?.problem : null
    if (problem) return problem
  }
  return order.problem ?? invalid
}

const invalid = problemOf('unauthorized', 'The authority calls the order invalid and does not say why.')

const failedBy = (problem: AcmeProblem, isCounted: boolean): Fact => ({ kind: 'attempt_failed', problem, isCounted })
const refused = (problem: AcmeProblem): Fact => failedBy(problem, true)

/**
 * An authority that does not respond now may still have the order: it is polled again, and no other order is placed.
 */
function noResponse({ order, now }: AuthorityRequest, problem: AcmeProblem): Fact {
  const kind = classOf(problem)
  const isPassing = kind === 'outage' || kind === 'limited' || problem.type === 'orderNotReady'
  if (!isPassing) return failedBy(problem, false)
  const patience = Math.max(problem.retryAfterMs ?? 0, ASK_AGAIN)
  return { kind: 'polled', until: pollAt(order.placedAt ?? now(), patience, now()) }
}

const ASK_AGAIN = 5 * SECOND
/** How often the nameservers are asked whether they show a record. */
const RECORD_MS = SECOND

/** An order that was left open for too long. */
export const givenUp = (order: CertificateOrder): Fact =>
  order.state === 'placed' && challengeTypeOf(order.hostname) === 'dns-01'
    ? failedBy(problemOf('dns', 'The nameservers did not show the TXT record within ten minutes.'), false)
    : failedBy(problemOf(STUCK, `The authority left the order ${order.state} for ten minutes.`), false)
