// `TokenBucket` says when the next of many things may happen: so many a second on average, and a few at once. Pure arithmetic;
// the caller waits.

export class TokenBucket {
  readonly #intervalMs: number
  readonly #burstMs: number
  /** Everything so far is paid for by this time. */
  #paidUntil = 0

  constructor({ perSecond, burst = 1 }: { perSecond: number; burst?: number }) {
    this.#intervalMs = 1000 / perSecond
    this.#burstMs = burst * this.#intervalMs
  }

  /** Milliseconds until the next may happen; null, and it counts for nothing, if that is longer than the caller waits. */
  take(
    now: number,
    { waitMs = Infinity, cost = 1 }: { waitMs?: number; cost?: number | undefined } = {},
  ): number | null {
    const paidUntil = Math.max(this.#paidUntil, now) + this.#intervalMs * cost
    const wait = Math.max(0, paidUntil - this.#burstMs - now)
    if (wait > waitMs) return null
    this.#paidUntil = paidUntil
    return wait
  }

  /** So many more count as if they had happened. */
  charge(cost: number): void {
    this.#paidUntil += this.#intervalMs * cost
  }
}
