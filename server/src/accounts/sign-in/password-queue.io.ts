// Runs the hashing of passwords in the order that the queue decides: with a clock, and with a promise for each that
// waits. What the queue rejects gets 503 with `Retry-After`.

import { Refusal } from '../../foundation/refusal.ts'
import { SECOND } from '../../foundation/time.ts'
import { queueRules, type QueueStep, type Turn, type WorkQueue } from './password-queue.ts'

/** Work in the queue: how to begin it, and how to reject it. */
export type QueuedWork = { begin: () => void; reject: (refusal: Refusal) => void }

export type InTurn = <Result>(turn: Turn, work: () => Promise<Result>) => Promise<Result>

export function inTurnOf(queue: WorkQueue<QueuedWork>, monotonic: () => number): InTurn {
  const take = ({ begin, reject }: QueueStep<QueuedWork>) => {
    for (const rejected of reject) rejected.reject(overloaded())
    for (const begun of begin) begun.begin()
  }
  return async (turn, work) => {
    await new Promise<void>((begin, reject) => take(queue.arrive({ begin, reject }, turn, monotonic())))
    const begunMs = monotonic()
    try {
      return await work()
    } finally {
      take(queue.end(monotonic() - begunMs, monotonic()))
    }
  }
}

const RETRY_SECONDS = Math.ceil(queueRules.startWithinMs / SECOND)

const overloaded = () =>
  new Refusal(
    'service_unavailable',
    `Too many passwords are being checked at the moment. Try again in ${RETRY_SECONDS} seconds, or sign in with a passkey.`,
    { 'Retry-After': String(RETRY_SECONDS) },
  )
