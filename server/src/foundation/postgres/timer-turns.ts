// The places of one kind of timers, and which project may have one next. Each project has its turn before one has its next,
// and a project that holds its share of the places comes after all others: however many timers of a few projects are due,
// that of another one begins after one claim for each of them. Pure.

import { Counts } from '../load/counts.ts'

/** Of those that had their turn; beyond that the first is forgotten, and may have its next too early. */
const REMEMBERED_MAX = 1000

export class TimerTurns {
  /** What one claim takes at most, so that none gives a project more than its share. */
  readonly #share: number
  readonly #perProject: number
  readonly #held = new Counts<bigint>()
  readonly #served = new Set<bigint>()
  #free: number

  /** `perProject`: what a project holds at most, even while no other waits. */
  constructor(atOnce: number, perProject = atOnce) {
    this.#free = atOnce
    this.#share = Math.max(1, Math.floor(atOnce / 8))
    this.#perProject = perProject
  }

  /** How many timers the next claim may take. */
  get claimable(): number {
    return Math.min(this.#free, this.#share)
  }

  /** The projects that a claim leaves out; each list is for when a claim with the one before found nothing. */
  *exceptions(): Generator<readonly bigint[]> {
    if (this.#served.size > 0) {
      yield [...this.#served, ...this.#held.withAtLeast(this.#share)]
      this.#served.clear()
    }
    const busy = this.#held.withAtLeast(this.#share)
    yield busy
    const full = this.#held.withAtLeast(this.#perProject)
    if (full.length < busy.length) yield full
  }

  begin(project: bigint): void {
    this.#free -= 1
    // Timers without a project are few, and count for none.
    if (project === 0n) return
    this.#held.add(project, 1)
    this.#served.add(project)
    for (const first of this.#served) {
      if (this.#served.size <= REMEMBERED_MAX) break
      this.#served.delete(first)
    }
  }

  end(project: bigint): void {
    this.#free += 1
    this.#held.add(project, -1)
  }
}
