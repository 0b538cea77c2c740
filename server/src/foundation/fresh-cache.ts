// What was read from the database, held in memory for a bounded time. The time
// counts from the moment the read began, because what it found may have changed
// right after: so nothing older than `holdMs` is ever given out. Concurrent
// questions for the same key share one read. What was not found is not held.

export type FreshCacheOptions = { holdMs: number; sizeMax: number; now: () => number }

type Held<Value> = { value: Promise<Value | undefined>; readAt: number }

export class FreshCache<Value> {
  readonly #held = new Map<string, Held<Value>>()
  readonly #options: FreshCacheOptions

  constructor(options: FreshCacheOptions) {
    this.#options = options
  }

  get(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const { holdMs, now } = this.#options
    const known = this.#held.get(key)
    if (known && now() - known.readAt < holdMs) return known.value

    const readAt = now()
    const fresh: Held<Value> = { value: read(), readAt }
    this.#held.delete(key)
    this.#held.set(key, fresh)
    this.#shrink()
    fresh.value.then(
      (value) => value === undefined && this.#forgetExactly(key, fresh),
      () => this.#forgetExactly(key, fresh),
    )
    return fresh.value
  }

  /** Whether the key was found lately, fresh or not. */
  has(key: string): boolean {
    return this.#held.has(key)
  }

  /** The next question is read again; a read under way is still given out to who waits for it, but not held. */
  forget(key: string): void {
    this.#held.delete(key)
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
