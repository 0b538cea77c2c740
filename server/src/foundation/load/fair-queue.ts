// Requests are begun a few at a time, sender by sender, and in between the server reads what else has arrived.
// - A client whose request is rejected does not wait until all requests that came before it were begun.
// - Senders take turns by the processor time that they have used: one whose requests are many, or expensive, waits for
//   itself. A newcomer is before the second request of a sender whose first one has just cost something.
// - Work for the processor alone, such as rendering pages, leaves room for everything else in its process.

/** In one turn of the event loop; more than this many arrive in one only under heavy load. */
const BEGUN_IN_A_TURN = 8

/**
 * `now` is in milliseconds: what the beginning of a request takes is what its sender has used. `most` are begun in one
 * turn of the event loop.
 */
export function inTurns<Args extends readonly unknown[]>(
  begin: (...args: Args) => void,
  { now, most = BEGUN_IN_A_TURN }: { now: () => number; most?: number },
): (sender: string, ...args: Args) => void {
  /** By sender; among equals, in the order of their turns: a sender that has more goes to the end. */
  const waiting = new Map<string, Args[]>()
  const shares = new Shares()
  let begun = 0
  const beginOne = (sender: string, args: Args) => {
    if (begun === 0) setImmediate(nextTurn)
    begun += 1
    const since = now()
    try {
      begin(...args)
    } finally {
      shares.use(sender, now() - since)
    }
  }
  const nextTurn = () => {
    begun = 0
    for (let capacity = most; capacity > 0 && waiting.size > 0; capacity -= 1) {
      const sender = shares.nextOf(waiting.keys())
      const requests = waiting.get(sender) ?? []
      const next = requests.shift()
      waiting.delete(sender)
      if (requests.length > 0) waiting.set(sender, requests)
      if (next) beginOne(sender, next)
    }
  }
  return (sender, ...args) => {
    if (waiting.size === 0 && begun < most) return beginOne(sender, args)
    const known = waiting.get(sender)
    if (known) known.push(args)
    else waiting.set(sender, [args])
  }
}

/** Work for the processor that is done at once when its turn has come: one piece in a turn of the event loop. */
export function workInTurns(now: () => number): <T>(sender: string, work: () => T) => Promise<T> {
  const begin = inTurns((work: () => void) => work(), { now, most: 1 })
  return (sender, work) =>
    new Promise((resolve, reject) => {
      begin(sender, () => {
        try {
          resolve(work())
        } catch (error) {
          reject(error)
        }
      })
    })
}

/** More are forgotten: nothing but their last turn is known of them. */
const SENDERS_MAX = 1000

/**
 * Start-time fair queueing. Every sender has a time up to which it has been served; the next is the one that is the
 * furthest behind. One that was away starts where the others are: it has neither saved anything up nor missed anything.
 */
class Shares {
  /** Where the sender was that was served last. */
  #reached = 0
  readonly #servedTo = new Map<string, number>()

  use(sender: string, ms: number): void {
    this.#reached = this.#startOf(sender)
    this.#servedTo.set(sender, this.#reached + ms)
    if (this.#servedTo.size <= SENDERS_MAX) return
    for (const [one, to] of this.#servedTo) if (to <= this.#reached) this.#servedTo.delete(one)
    if (this.#servedTo.size > SENDERS_MAX) this.#servedTo.clear()
  }

  /** The first one of those that are the furthest behind. */
  nextOf(senders: Iterable<string>): string {
    let next = ''
    let least = Infinity
    for (const sender of senders) {
      const start = this.#startOf(sender)
      if (start < least) [next, least] = [sender, start]
      // None is further behind.
      if (least <= this.#reached) break
    }
    return next
  }

  #startOf(sender: string): number {
    return Math.max(this.#servedTo.get(sender) ?? 0, this.#reached)
  }
}
