// What was read from the database, held in memory for a bounded time. The time
// counts from the moment the read began, because what it found may have changed
// right after: so nothing older than `holdMs` is ever given out. Concurrent
// questions for the same key share one read. What was not found is not held.
// Whoever refreshes now and then, all at once, what is in use keeps those who ask
// from ever having to wait for a read.

export type FreshCacheOptions = { holdMs: number; sizeMax: number; now: () => number }

type Held<Value> = { value: Promise<Value | undefined>; readAt: number; isInUse: boolean }

export class FreshCache<Value> {
  readonly #held = new Map<string, Held<Value>>()
  readonly #options: FreshCacheOptions

  constructor(options: FreshCacheOptions) {
    this.#options = options
  }

  get(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const { holdMs, now } = this.#options
    const known = this.#held.get(key)
    if (known && now() - known.readAt < holdMs) {
      known.isInUse = true
      return known.value
    }

    const readAt = now()
    const fresh: Held<Value> = { value: read(), readAt, isInUse: true }
    this.#held.delete(key)
    this.#held.set(key, fresh)
    this.#shrink()
    fresh.value.then(
      (value) => value === undefined && this.#forgetExactly(key, fresh),
      () => this.#forgetExactly(key, fresh),
    )
    return fresh.value
  }

  /** Reads again, together, whatever was asked for since it was read. A failure changes nothing: what is held ages. */
  async refresh(readAll: (keys: readonly string[]) => Promise<readonly (Value | undefined)[]>): Promise<void> {
    const inUse = [...this.#held].filter(([, held]) => held.isInUse)
    if (inUse.length === 0) return
    const readAt = this.#options.now()
    const values = await readAll(inUse.map(([key]) => key))
    inUse.forEach(([key, held], index) => {
      const value = values[index]
      // What was forgotten, or read again by somebody who could not wait, is not ours to say any more.
      if (this.#held.get(key) !== held) return
      if (value === undefined) this.#held.delete(key)
      else this.#held.set(key, { value: Promise.resolve(value), readAt, isInUse: false })
    })
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
