// An attack on the password queue in simulated time: many address groups try passwords at a steady rate, and people
// sign in from devices and addresses that have not been seen before. One run takes milliseconds, so that CI shows the
// figures of the design in full.

import {
  queueRules,
  type QueueRules,
  type QueueStep,
  type Turn,
  type WorkQueue,
} from '../../server/src/accounts/sign-in/password-queue.ts'

export type PasswordAttack = {
  perSecond: number
  groups: readonly string[]
  seconds: number
  /** How long one hash takes while two run. */
  workMs: number
  /** When the first person signs in, after the attack began. */
  afterSeconds: number
  people: number
  everyMs: number
}

export type PersonOutcome = { isServed: boolean; waitedMs: number }

type Attempt = { turn: Turn; atMs: number; person: number | undefined }

/** What became of the people. */
export function attackInSimulatedTime(queue: WorkQueue<Attempt>, attack: PasswordAttack): PersonOutcome[] {
  const outcomes: PersonOutcome[] = []
  const running: { attempt: Attempt; endsMs: number }[] = []
  let nowMs = 0
  const settle = (attempt: Attempt, isServed: boolean) => {
    if (attempt.person !== undefined) outcomes[attempt.person] = { isServed, waitedMs: nowMs - attempt.atMs }
  }
  const take = ({ begin, reject }: QueueStep<Attempt>) => {
    for (const attempt of reject) settle(attempt, false)
    for (const attempt of begin) running.push({ attempt, endsMs: nowMs + attack.workMs })
  }
  const endUntil = (untilMs: number) => {
    for (;;) {
      const next = running.toSorted((one, other) => one.endsMs - other.endsMs)[0]
      if (next === undefined || next.endsMs > untilMs) return
      running.splice(running.indexOf(next), 1)
      nowMs = next.endsMs
      settle(next.attempt, true)
      take(queue.end(attack.workMs, nowMs))
    }
  }
  for (const attempt of attemptsOf(attack)) {
    endUntil(attempt.atMs)
    nowMs = attempt.atMs
    take(queue.arrive(attempt, attempt.turn, nowMs))
  }
  endUntil(Infinity)
  return outcomes
}

function attemptsOf({ perSecond, groups, seconds, afterSeconds, people, everyMs }: PasswordAttack): Attempt[] {
  const strangers = Array.from({ length: perSecond * seconds }, (_, index): Attempt => {
    const group = groups[index % groups.length] ?? ''
    return { turn: { isKnown: false, group }, atMs: (index * 1000) / perSecond, person: undefined }
  })
  const honest = Array.from({ length: people }, (_, person): Attempt => ({
    turn: { isKnown: false, group: `198.51.${person}.7` },
    atMs: afterSeconds * 1000 + person * everyMs,
    person,
  }))
  return [...strangers, ...honest].toSorted((one, other) => one.atMs - other.atMs)
}

/** Serves passwords in the order of arrival: the negative control of the password queue, with the same bounds. */
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
