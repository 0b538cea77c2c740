// Serves passwords in the order of arrival: the negative control of the password queue, with the same bounds.

import {
  queueRules,
  type QueueRules,
  type QueueStep,
  type Turn,
  type WorkQueue,
} from '../../server/src/accounts/sign-in/password-queue.ts'

export class ArrivalQueue<Work> implements WorkQueue<Work> {
  readonly #rules: QueueRules
  readonly #waiting: Work[] = []
  #running = 0

  constructor(rules: QueueRules = queueRules) {
    this.#rules = rules
  }

  arrive(work: Work, _turn: Turn, _atMs: number): QueueStep<Work> {
    const { atOnce, waitingMax, startWithinMs, workMs } = this.#rules
    if (this.#running < atOnce) {
      this.#running += 1
      return { begin: [work], reject: [] }
    }
    const isFull = this.#waiting.length >= waitingMax
    if (isFull || ((this.#waiting.length + 1) / atOnce) * workMs > startWithinMs) return { begin: [], reject: [work] }
    this.#waiting.push(work)
    return { begin: [], reject: [] }
  }

  end(): QueueStep<Work> {
    const next = this.#waiting.shift()
    if (next === undefined) this.#running -= 1
    return { begin: next === undefined ? [] : [next], reject: [] }
  }
}
