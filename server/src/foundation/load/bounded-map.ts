// `BoundedMap` keeps the entries that were set last: beyond its bounds, the one set longest ago is evicted first. Every cache in
// the memory of a process is one, or holds one, so that no client can make it grow.

export type Bounds<Key, Value> = {
  countMax: number
  /** Where entries differ in size: of all of them together. An entry that is larger by itself is not kept. */
  weightMax?: number
  weightOf?: (value: Value, key: Key) => number
}

export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #bounds: Required<Bounds<Key, Value>>
  #weight = 0

  constructor({ countMax, weightMax = Infinity, weightOf = () => 0 }: Bounds<Key, Value>) {
    this.#bounds = { countMax, weightMax, weightOf }
  }

  get size(): number {
    return this.#entries.size
  }

  get weight(): number {
    return this.#weight
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  has(key: Key): boolean {
    return this.#entries.has(key)
  }

  /** The entry is the newest from now on. */
  set(key: Key, value: Value): void {
    const { countMax, weightMax, weightOf } = this.#bounds
    this.delete(key)
    const weight = weightOf(value, key)
    if (weight > weightMax) return
    this.#entries.set(key, value)
    this.#weight += weight
    // A Map keeps the order in which keys were inserted.
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= countMax && this.#weight <= weightMax) return
      this.delete(oldest)
    }
  }

  delete(key: Key): void {
    const value = this.#entries.get(key)
    if (value !== undefined) this.#weight -= this.#bounds.weightOf(value, key)
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
    this.#weight = 0
  }
}

/** Keys that were added less than some time ago, such as names that were refused. */
export class RecentKeys {
  readonly #addedAt: BoundedMap<string, number>
  readonly #holdMs: number
  readonly #now: () => number

  constructor({ holdMs, countMax, now }: { holdMs: number; countMax: number; now: () => number }) {
    this.#addedAt = new BoundedMap({ countMax })
    this.#holdMs = holdMs
    this.#now = now
  }

  has(key: string): boolean {
    return this.#now() - (this.#addedAt.get(key) ?? Number.NEGATIVE_INFINITY) < this.#holdMs
  }

  add(key: string): void {
    this.#addedAt.set(key, this.#now())
  }

  delete(key: string): void {
    this.#addedAt.delete(key)
  }

  clear(): void {
    this.#addedAt.clear()
  }
}
