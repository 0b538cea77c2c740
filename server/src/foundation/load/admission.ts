// Admission control, its arithmetic: how many requests a process serves at a time, and which of them are rejected first.
// Pure; admission.io.ts applies it to a server.
//
// The limit of requests in flight follows what the process can do (AIMD): it shrinks while responses or the event loop
// are slow, and grows while it is reached and they are not. As the requests in flight approach it, requests are
// rejected in this order: of a sender (a project, or an address group) above its share; exports and imports; reads; writes.

export type AdmissionRules = Readonly<{
  /** Requests in flight: at the start, at least, at most. */
  start: number
  least: number
  /** At least, however many projects are active: each may have a request in flight. */
  leastOfMany: number
  most: number
  /** Of sign-in, traces, exports and imports together. They wait for queues of their own, so their time says nothing. */
  mostOfOwnQueues: number
  /** The limit shrinks when one response in ten takes longer, or the event loop is later than that. */
  slowMs: number
  lateMs: number
  /** Off only in negative controls. */
  hasShares: boolean
  holdsConnections: boolean
}>

export const admissionRules: AdmissionRules = {
  start: 128,
  least: 16,
  leastOfMany: 64,
  most: 1024,
  mostOfOwnQueues: 256,
  slowMs: 100,
  lateMs: 50,
  hasShares: true,
  holdsConnections: true,
}

/** How often the limit is adjusted. */
export const ADJUST_MS = 100

export type RequestKind = 'health' | 'stream' | 'poll' | 'sign-in' | 'trace' | 'export' | 'import' | 'read' | 'write'

/** A request that counts against the limit. */
export type InFlight = { readonly lane: Lane; readonly sender: Sender }

type Sender = { inFlight: number; seenAt: number }
type Lane = { limit: number; inFlight: number; senders: Map<string, Sender> }

/** How full a lane may be for a request to be admitted, as a part of its limit. */
const fill = { aboveShare: 1 / 2, bulk: 3 / 4, read: 9 / 10, write: 1 }

type Treatment = { hasOwnQueue: boolean; fill: number }
const treatments: Readonly<Record<Exclude<RequestKind, 'health'>, Treatment>> = {
  // An open stream is in flight for hours, and has caps of its own. Only its beginning is a request like others.
  stream: { hasOwnQueue: false, fill: fill.read },
  poll: { hasOwnQueue: false, fill: fill.write },
  'sign-in': { hasOwnQueue: true, fill: fill.write },
  trace: { hasOwnQueue: true, fill: fill.read },
  export: { hasOwnQueue: true, fill: fill.bulk },
  import: { hasOwnQueue: true, fill: fill.bulk },
  read: { hasOwnQueue: false, fill: fill.read },
  write: { hasOwnQueue: false, fill: fill.write },
}

/** A dashboard that opens sends a few requests at once. */
const LEAST_SHARE = 4
/** A sender's part of a lane's limit: the same for all that are active. */
const shareOf = ({ limit, senders }: Lane): number => Math.max(LEAST_SHARE, limit / senders.size)

/** A sender counts as active for so many adjustments after its last request: a second. */
const ACTIVE_FOR = 10

export class Admission {
  readonly #rules: AdmissionRules
  readonly #main: Lane
  readonly #ownQueues: Lane
  #adjustments = 0
  #responses = 0
  #slowResponses = 0
  #mostInFlight = 0
  #wasReached = false

  constructor(rules: AdmissionRules = admissionRules) {
    this.#rules = rules
    this.#main = { limit: Math.max(rules.start, rules.least), inFlight: 0, senders: new Map() }
    this.#ownQueues = { limit: rules.mostOfOwnQueues, inFlight: 0, senders: new Map() }
  }

  get limit(): number {
    return this.#main.limit
  }

  /** Whether a request of this kind and sender may be served now. Health checks always are. */
  admits(kind: RequestKind, senderName: string): boolean {
    if (kind === 'health') return true
    const { hasOwnQueue, fill: most } = treatments[kind]
    const lane = hasOwnQueue ? this.#ownQueues : this.#main
    const used = lane.inFlight / lane.limit
    // It occupies no place, so no share is too small for it, and its sender is not active because of it.
    if (kind === 'poll') return used < most
    const sender = this.#senderOf(lane, senderName)
    const isWithinShare = !this.#rules.hasShares || used < fill.aboveShare || sender.inFlight < shareOf(lane)
    if (isWithinShare && used < most) return true
    if (lane === this.#main) this.#wasReached = true
    return false
  }

  /** Counts a request from now on; undefined if it does not count. */
  begin(kind: RequestKind, senderName: string): InFlight | undefined {
    if (kind === 'health' || kind === 'stream' || kind === 'poll') return undefined
    const lane = treatments[kind].hasOwnQueue ? this.#ownQueues : this.#main
    const sender = this.#senderOf(lane, senderName)
    lane.inFlight += 1
    sender.inFlight += 1
    if (lane === this.#main) this.#mostInFlight = Math.max(this.#mostInFlight, lane.inFlight)
    return { lane, sender }
  }

  end({ lane, sender }: InFlight, tookMs: number): void {
    lane.inFlight -= 1
    sender.inFlight -= 1
    if (lane !== this.#main) return
    this.#responses += 1
    if (tookMs > this.#rules.slowMs) this.#slowResponses += 1
  }

  /**
   * Every `ADJUST_MS`, with the median delay of the event loop since the last time. Returns how many more requests may
   * come now without reaching a half of the limit; none if it was reached.
   */
  adjust(lateMs: number): number {
    const { least, leastOfMany, most } = this.#rules
    const floor = Math.max(least, Math.min(leastOfMany, this.#main.senders.size))
    // The 90th percentile exceeds the bound if more than a tenth does. None at all is the slowest.
    const isStuck = this.#wasReached && this.#responses === 0
    const isSlow = isStuck || this.#slowResponses * 10 > this.#responses || lateMs > this.#rules.lateMs
    // With fewer in flight than the least limit, a lower limit would help no request.
    if (isSlow && this.#mostInFlight >= floor) this.#main.limit = Math.max(floor, Math.floor(this.#main.limit * 0.9))
    else if (this.#wasReached && !isSlow) this.#main.limit = Math.min(most, this.#main.limit + 1)
    const isFull = isSlow || this.#wasReached
    const spare = isFull ? 0 : Math.max(0, Math.floor(this.#main.limit * fill.aboveShare) - this.#main.inFlight)
    this.#responses = 0
    this.#slowResponses = 0
    this.#wasReached = false
    this.#mostInFlight = this.#main.inFlight
    this.#adjustments += 1
    for (const lane of [this.#main, this.#ownQueues]) this.#forgetIdle(lane)
    return spare
  }

  #senderOf({ senders }: Lane, name: string): Sender {
    const known = senders.get(name)
    if (known) {
      known.seenAt = this.#adjustments
      return known
    }
    const sender = { inFlight: 0, seenAt: this.#adjustments }
    senders.set(name, sender)
    return sender
  }

  #forgetIdle({ senders }: Lane): void {
    for (const [name, { inFlight, seenAt }] of senders) {
      if (inFlight === 0 && this.#adjustments - seenAt > ACTIVE_FOR) senders.delete(name)
    }
  }
}
