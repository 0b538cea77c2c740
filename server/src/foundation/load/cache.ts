// `FreshCache` caches values that are read elsewhere, for a bounded time.
// - Age counts from the start of the read, because the value may have changed right after it:
//   nothing older than `holdMs` is ever returned.
// - Concurrent calls for the same key share one read.
// - A value that was not found is not cached.
// - A caller that learns which keys have changed forgets those and revalidates the rest at once,
//   which then need not be read again.

import { BoundedMap } from './bounded-map.ts'

export type FreshCacheOptions<Value> = {
  holdMs: number
  /** Of values that have a time to live of their own: the shorter of the two applies. */
  holdMsOf?: (value: Value) => number
  countMax: number
  now: () => number
}

/** `known` is set once the value has been read, so that a caller need not wait for a promise. */
type Entry<Value> = { value: Promise<Value | undefined>; known?: Value; readAt: number; holdMs: number }

export class FreshCache<Value> {
  readonly #entries: BoundedMap<string, Entry<Value>>
  readonly #options: FreshCacheOptions<Value>
  #confirmedAt = Number.NEGATIVE_INFINITY

  constructor(options: FreshCacheOptions<Value>) {
    this.#options = options
    this.#entries = new BoundedMap(options)
  }

  /** The cached value if it is fresh; never reads. */
  peek(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    return entry?.known !== undefined && this.#isFresh(entry) ? entry.known : undefined
  }

  get(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const known = this.#entries.get(key)
    if (known && this.#isFresh(known)) return known.value

    const { now, holdMs } = this.#options
    const readAt = now()
    const fresh: Entry<Value> = { value: read(), readAt, holdMs }
    this.#entries.set(key, fresh)
    fresh.value.then(
      (value) => (value === undefined ? this.#forgetExactly(key, fresh) : this.#learn(fresh, value)),
      () => this.#forgetExactly(key, fresh),
    )
    return fresh.value
  }

  /** Caches what was read with something else. */
  put(key: string, value: Value): void {
    const { now, holdMs } = this.#options
    const entry: Entry<Value> = { value: Promise.resolve(value), readAt: now(), holdMs }
    this.#learn(entry, value)
    this.#entries.set(key, entry)
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

  #learn(entry: Entry<Value>, value: Value): void {
    const { holdMs, holdMsOf } = this.#options
    entry.known = value
    if (holdMsOf) entry.holdMs = Math.min(holdMs, holdMsOf(value))
  }

  #isFresh({ readAt, holdMs }: Entry<Value>): boolean {
    return this.#options.now() - Math.max(readAt, this.#confirmedAt) < holdMs
  }

  #forgetExactly(key: string, entry: Entry<Value>): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key)
  }
}
