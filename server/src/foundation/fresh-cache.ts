// What was read from the database, held in memory for a bounded time. The time
// counts from the moment the read began, because what it found may have changed
// right after: so nothing older than `holdMs` is ever given out. Concurrent
// questions for the same key share one read. What was not found is not held.
// Whoever learns what has changed, forgets that and confirms the rest at once,
// which then need not be read again.

export type FreshCacheOptions = { holdMs: number; sizeMax: number; now: () => number }

/** `known` is the value once it was read: who asks then need not wait for a promise. */
type Held<Value> = { value: Promise<Value | undefined>; known?: Value; readAt: number }

export class FreshCache<Value> {
  readonly #held = new Map<string, Held<Value>>()
  readonly #options: FreshCacheOptions
  #confirmedAt = Number.NEGATIVE_INFINITY

  constructor(options: FreshCacheOptions) {
    this.#options = options
  }

  /** What is held and fresh, without reading anything. */
  peek(key: string): Value | undefined {
    const held = this.#held.get(key)
    return held?.known !== undefined && this.#isFresh(held) ? held.known : undefined
  }

  get(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const known = this.#held.get(key)
    if (known && this.#isFresh(known)) return known.value

    const readAt = this.#options.now()
    const fresh: Held<Value> = { value: read(), readAt }
    this.#held.delete(key)
    this.#held.set(key, fresh)
    this.#shrink()
    fresh.value.then(
      (value) => (value === undefined ? this.#forgetExactly(key, fresh) : void (fresh.known = value)),
      () => this.#forgetExactly(key, fresh),
    )
    return fresh.value
  }

  /** All that is held, and was not forgotten meanwhile, was still true at that moment. */
  confirm(at: number): void {
    this.#confirmedAt = Math.max(this.#confirmedAt, at)
  }

  /** Whether the key was found lately, fresh or not. */
  has(key: string): boolean {
    return this.#held.has(key)
  }

  /** The next question is read again; a read under way is still given out to who waits for it, but not held. */
  forget(key: string): void {
    this.#held.delete(key)
  }

  #isFresh({ readAt }: Held<Value>): boolean {
    const { holdMs, now } = this.#options
    return now() - Math.max(readAt, this.#confirmedAt) < holdMs
  }

  #forgetExactly(key: string, held: Held<Value>): void {
    if (this.#held.get(key) === held) this.#held.delete(key)
  }

  // The oldest read goes first: a Map keeps the order of insertion, and every read inserts anew.
  #shrink(): void {
    if (this.#held.size <= this.#options.sizeMax) return
    const oldest = this.#held.keys().next()
    if (!oldest.done) this.#held.delete(oldest.value)
  }
}
