// Decides who gets the next connection of a pool: of those who wait, the project that uses the fewest. Otherwise one project
// whose transactions are long (imports), or wait for each other (reservations of one shop), would keep all others waiting.
// Work that belongs to no project, such as looking up a key, is short, and counts as that of a project that uses none.

export const NO_PROJECT = ''

export class TookTooLong extends Error {}

type Waiting = { user: string; begin: () => void }

export class ConnectionTurns {
  readonly #waitMs: number
  readonly #inUse = new Map<string, number>()
  #free: number
  #waiting: Waiting[] = []

  constructor(connections: number, waitMs: number) {
    this.#free = connections
    this.#waitMs = waitMs
  }

  /** Until a connection may be used; rejects after a while. */
  take(user: string): Promise<void> {
    if (this.#free > 0) return Promise.resolve(this.#use(user))
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting)
        reject(new TookTooLong(`no connection became free within ${this.#waitMs} ms`))
      }
      const timer = setTimeout(giveUp, this.#waitMs)
      const begin = () => {
        clearTimeout(timer)
        resolve(this.#use(user))
      }
      const waiting = { user, begin }
      this.#waiting.push(waiting)
    })
  }

  release(user: string): void {
    this.#free += 1
    const left = this.#usedBy(user) - 1
    if (left > 0) this.#inUse.set(user, left)
    else this.#inUse.delete(user)
    const next = this.#next()
    if (!next) return
    this.#waiting.splice(this.#waiting.indexOf(next), 1)
    next.begin()
  }

  #use(user: string): void {
    this.#free -= 1
    if (user !== NO_PROJECT) this.#inUse.set(user, this.#usedBy(user) + 1)
  }

  #usedBy(user: string): number {
    return this.#inUse.get(user) ?? 0
  }

  /** Of equals, the one that has waited longest. */
  #next(): Waiting | undefined {
    let next: Waiting | undefined
    for (const waiting of this.#waiting) {
      if (!next || this.#usedBy(waiting.user) < this.#usedBy(next.user)) next = waiting
    }
    return next
  }
}
