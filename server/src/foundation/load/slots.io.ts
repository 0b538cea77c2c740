// `Slots` bounds how many pieces of work are in progress at a time. The others wait, and a slot that becomes free goes to the
// user that occupies the fewest: one whose work takes long, or that has much of it, waits for itself. Users that occupy equally
// many take turns, in the order in which they came. Work of no user is like that of one which occupies none.

import { Counts } from './counts.ts'

/** To be called once, when the work has ended. */
export type Release = () => void
type Begin = () => void

export class Slots<User = never> {
  readonly #inUse = new Counts<User | symbol>()
  /** By user, in the order of their turns. */
  readonly #waiting = new Map<User | symbol, Set<Begin>>()
  readonly #count: number
  #free: number

  constructor(count: number) {
    this.#count = count
    this.#free = count
  }

  get isUnused(): boolean {
    return this.#free === this.#count
  }

  /** A slot if one is free. */
  takeNow(user?: User): Release | undefined {
    if (this.#free <= 0) return undefined
    this.#free -= 1
    if (user !== undefined) this.#inUse.add(user, 1)
    return () => this.#release(user)
  }

  /** A slot once one is free; undefined if that takes longer. */
  take(user?: User, waitMs = Infinity): Promise<Release | undefined> {
    const release = this.takeNow(user)
    return release || waitMs <= 0 ? Promise.resolve(release) : this.#wait(user, waitMs)
  }

  /** Does the work once there is a slot for it. */
  async run<Result>(work: () => Promise<Result>, user?: User): Promise<Result> {
    const release = await this.take(user)
    try {
      return await work()
    } finally {
      release?.()
    }
  }

  #wait(user: User | undefined, waitMs: number): Promise<Release | undefined> {
    // Each piece of work of no user has a turn of its own.
    const waiter = user ?? Symbol('no user')
    return new Promise((resolve) => {
      const begin = () => {
        clearTimeout(timer)
        resolve(this.takeNow(user))
      }
      const giveUp = () => {
        const begins = this.#waiting.get(waiter)
        begins?.delete(begin)
        if (begins?.size === 0) this.#waiting.delete(waiter)
        resolve(undefined)
      }
      const timer = waitMs === Infinity ? undefined : setTimeout(giveUp, waitMs)
      this.#waiting.set(waiter, (this.#waiting.get(waiter) ?? new Set()).add(begin))
    })
  }

  #release(user: User | undefined): void {
    this.#free += 1
    if (user !== undefined) this.#inUse.add(user, -1)
    const next = this.#next()
    if (next === undefined) return
    const begins = this.#waiting.get(next) ?? new Set()
    const [begin] = begins
    // Behind all others that wait.
    this.#waiting.delete(next)
    if (begin) begins.delete(begin)
    if (begins.size > 0) this.#waiting.set(next, begins)
    begin?.()
  }

  #next(): User | symbol | undefined {
    let next: User | symbol | undefined
    let least = Infinity
    for (const waiter of this.#waiting.keys()) {
      const used = this.#inUse.of(waiter)
      if (used < least) [next, least] = [waiter, used]
      if (least === 0) break
    }
    return next
  }
}

/** So many slots for each of many places, such as the hosts that are contacted. */
export class SlotsByPlace<User = never> {
  readonly #places = new Map<string, Slots<User>>()
  readonly #count: number

  constructor(count: number) {
    this.#count = count
  }

  async take(place: string, user: User, waitMs: number): Promise<Release | undefined> {
    const slots = this.#places.get(place) ?? new Slots<User>(this.#count)
    this.#places.set(place, slots)
    const release = await slots.take(user, waitMs)
    return (
      release &&
      (() => {
        release()
        if (slots.isUnused) this.#places.delete(place)
      })
    )
  }
}
