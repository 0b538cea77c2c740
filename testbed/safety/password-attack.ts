// An attack on the password queue in simulated time: many address groups try passwords at a steady rate, and people
// sign in from devices and addresses that have not been seen before. One run takes milliseconds, so that CI shows the
// figures of the design in full.

import type { QueueStep, Turn, WorkQueue } from '../../server/src/accounts/sign-in/password-queue.ts'

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

/** The n-th smallest of a hundred. */
export const p99 = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.99) - 1] ?? 0

/** A person who signs in while the service is attacked. */
export const personOf = (n: number) => ({
  email: `person-${n}@shop.example`,
  password: `seven otters juggle ${n} lanterns`,
})

/** What the process of the service reports. */
export type ServiceFigures = { port: number; memoryMb: number }
