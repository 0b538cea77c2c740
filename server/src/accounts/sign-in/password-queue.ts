// Decides whose password is hashed next, and whose is rejected. Hashing is the most expensive work that an
// anonymous client can request, so it is scheduled fairly: signed-in people and known devices first, then the
// address groups in turn. A turn is an attempt within the last minute or two: the first attempt of every group
// comes before the second of any, so a group that tries again and again waits behind one that has not tried yet,
// whatever the order of arrival. Many groups of one network count as one in ten.
//
// What cannot start in time is rejected at once, instead of waiting for a response that comes too late.

import { addressNetwork } from '../../foundation/address-group.ts'
import { MINUTE, SECOND } from '../../foundation/time.ts'

/** Who waits: `group` is the account of a signed-in person or of a known device, and an address group otherwise. */
export type Turn = { isKnown: boolean; group: string }

export type QueueRules = {
  atOnce: number
  waitingMax: number
  waitingPerGroupMax: number
  startWithinMs: number
  /** An estimate until the first one has ended. */
  workMs: number
}

export const queueRules: QueueRules = {
  // Half of Node's threads: file reads use the others and never wait for a password.
  atOnce: 2,
  waitingMax: 64,
  waitingPerGroupMax: 4,
  startWithinMs: 2 * SECOND,
  workMs: 80,
}

/** What to do after an event. */
export type QueueStep<Work> = { begin: readonly Work[]; reject: readonly Work[] }

/** Of the two implementations, the other one serves in the order of arrival: the negative control. */
export type WorkQueue<Work> = {
  arrive(work: Work, turn: Turn, atMs: number): QueueStep<Work>
  /** Work that was begun has ended. */
  end(tookMs: number, atMs: number): QueueStep<Work>
}

type Waiting<Work> = { work: Work; turn: Turn; attempt: number; sinceMs: number }

export class PasswordQueue<Work> implements WorkQueue<Work> {
  readonly #rules: QueueRules
  readonly #attempts = new RecentAttempts()
  #waiting: Waiting<Work>[] = []
  #running = 0
  #workMs: number

  constructor(rules: QueueRules = queueRules) {
    this.#rules = rules
    this.#workMs = rules.workMs
  }

  arrive(work: Work, turn: Turn, atMs: number): QueueStep<Work> {
    const attempt = this.#attempts.count(turn, atMs)
    const ofGroup = this.#waiting.filter(({ turn: { group } }) => group === turn.group)
    if (ofGroup.length >= this.#rules.waitingPerGroupMax) return { begin: [], reject: [work] }
    const arrived = { work, turn, attempt, sinceMs: atMs }
    const behind = this.#waiting.findIndex((other) => isBefore(arrived, other))
    this.#waiting.splice(behind === -1 ? this.#waiting.length : behind, 0, arrived)
    return this.#settle(atMs)
  }

  end(tookMs: number, atMs: number): QueueStep<Work> {
    this.#running -= 1
    // Recent ones count most. However slow, the two next in line may always wait.
    this.#workMs = Math.min(this.#workMs * 0.8 + tookMs * 0.2, this.#rules.startWithinMs)
    return this.#settle(atMs)
  }

  #settle(atMs: number): QueueStep<Work> {
    const { atOnce, waitingMax, startWithinMs } = this.#rules
    const step = { begin: [] as Work[], reject: [] as Work[] }
    const kept: Waiting<Work>[] = []
    for (const next of this.#waiting) {
      const isLate = atMs - next.sinceMs > startWithinMs
      if (!isLate && this.#running < atOnce) {
        this.#running += 1
        step.begin.push(next.work)
        continue
      }
      const startsMs = atMs + ((kept.length + 1) / atOnce) * this.#workMs
      if (startsMs - next.sinceMs > startWithinMs || kept.length >= waitingMax) step.reject.push(next.work)
      else kept.push(next)
    }
    this.#waiting = kept
    return step
  }
}

/** Equals keep the order of arrival. */
function isBefore<Work>(one: Waiting<Work>, other: Waiting<Work>): boolean {
  if (one.turn.isKnown !== other.turn.isKnown) return one.turn.isKnown
  return one.attempt < other.attempt
}

const WINDOW_MS = MINUTE
/** Beyond it, a window is not recorded further: a flood from that many networks cannot be distinguished from people. */
const GROUPS_MAX = 50_000
const GROUPS_PER_NETWORK = 10

/** Counts the attempts of the present minute and of the one before. */
class RecentAttempts {
  #window = 0
  #present = new Map<string, number>()
  #before = new Map<string, number>()

  /** How many attempts the group has made before this one; of a network, every tenth counts for all of its groups. */
  count({ isKnown, group }: Turn, atMs: number): number {
    this.#turnTo(Math.floor(atMs / WINDOW_MS))
    const ofGroup = this.#add(group)
    if (isKnown) return ofGroup
    const network = addressNetwork(group)
    if (network === group) return ofGroup
    return Math.max(ofGroup, Math.floor(this.#add(network) / GROUPS_PER_NETWORK))
  }

  #add(key: string): number {
    const present = this.#present.get(key) ?? 0
    if (present > 0 || this.#present.size < GROUPS_MAX) this.#present.set(key, present + 1)
    return present + (this.#before.get(key) ?? 0)
  }

  #turnTo(window: number): void {
    if (window === this.#window) return
    this.#before = window === this.#window + 1 ? this.#present : new Map()
    this.#present = new Map()
    this.#window = window
  }
}
