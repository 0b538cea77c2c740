// `FreshCache` caches values read from the database for a bounded time.
// - Age counts from the start of the read, because the value may have changed right after it:
//   nothing older than `holdMs` is ever returned.
// - Concurrent calls for the same key share one read.
// - A value that was not found is not cached.
// - A caller that learns which keys have changed forgets those and revalidates the rest at once,
//   which then need not be read again.

export type FreshCacheOptions = { holdMs: number; sizeMax: number; now: () => number }

/** `known` is set once the value has been read, so that a caller need not wait for a promise. */
type Entry<Value> = { value: Promise<Value | undefined>; known?: Value; readAt: number }

export class FreshCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>()
  readonly #options: FreshCacheOptions
  #confirmedAt = Number.NEGATIVE_INFINITY

  constructor(options: FreshCacheOptions) {
    this.#options = options
  }

  /** The cached value if it is fresh; never reads. */
  peek(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    return entry?.known !== undefined && this.#isFresh(entry) ? entry.known : undefined
  }

  get(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const known = this.#entries.get(key)
    if (known && this.#isFresh(known)) return known.value

    const readAt = this.#options.now()
    const fresh: Entry<Value> = { value: read(), readAt }
    this.#entries.delete(key)
    this.#entries.set(key, fresh)
    this.#shrink()
    fresh.value.then(
      (value) => (value === undefined ? this.#forgetExactly(key, fresh) : void (fresh.known = value)),
      () => this.#forgetExactly(key, fresh),
    )
    return fresh.value
  }

  /** Revalidates: every cached value that has not been forgotten was still correct at that moment. */
  confirm(at: number): void {
    this.#confirmedAt = Math.max(this.#confirmedAt, at)
  }

  /** True if the key was found recently, fresh or not. */
  has(key: string): boolean {
    return this.#entries.has(key)
  }

  /** The next call reads again. A read in flight is still returned to its callers, but not cached. */
  forget(key: string): void {
    this.#entries.delete(key)
  }

  #isFresh({ readAt }: Entry<Value>): boolean {
    const { holdMs, now } = this.#options
    return now() - Math.max(readAt, this.#confirmedAt) < holdMs
  }

  #forgetExactly(key: string, entry: Entry<Value>): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key)
  }

  // Evicts the oldest read first: a Map keeps insertion order, and every read inserts its key
  // again.
  #shrink(): void {
    if (this.#entries.size <= this.#options.sizeMax) return
    const oldest = this.#entries.keys().next()
    if (!oldest.done) this.#entries.delete(oldest.value)
  }
}
