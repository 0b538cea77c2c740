// `RateLimit` counts requests in fixed windows, in the memory of this process. Those that `shareLimits` creates are added
// up with the counts of all other processes once a second, with one statement: they are exact to one second of traffic,
// however many processes there are. While PostgreSQL is away, each process continues with what it knows. `exactLimit` is for
// what is rare and may not be exceeded at all: it counts each request in PostgreSQL.

import { digestOf } from '../key-format.ts'
import type { Db } from '../postgres/postgres.io.ts'
import { addRates, chargeRates, refundRates, type AddedRate } from './rate-directory.io.ts'
import { Refusal } from '../refusal.ts'
import { SECOND, type Clock } from '../time.ts'

export type Quota = { name: string; points: number; windowSeconds: number }

export type Usage = { quota: Quota; isOver: boolean; remaining: number; resetSeconds: number }

/** `shared`: the last sum over all processes; `sent` is on its way there, and `added` is not yet. */
type Window = { endsAt: number; shared: number; sent: number; added: number }

const countOf = ({ shared, sent, added }: Window) => shared + sent + added

export class RateLimit {
  readonly quota: Quota
  readonly #windows = new Map<string, Window>()
  readonly #now: Clock
  #sweepAt = 0

  constructor(quota: Quota, now: Clock = Date.now) {
    this.quota = quota
    this.#now = now
  }

  async use(key: string): Promise<Usage> {
    const at = this.#now()
    const window = this.#windowOf(key, at)
    const isOver = countOf(window) >= this.quota.points
    if (!isOver) window.added += 1
    return this.#usage(window, at, isOver)
  }

  /** The current usage, without counting a request. */
  async look(key: string): Promise<Usage> {
    const at = this.#now()
    const window = this.#windows.get(key)
    if (window === undefined || window.endsAt <= at) {
      return { quota: this.quota, isOver: false, remaining: this.quota.points, resetSeconds: this.quota.windowSeconds }
    }
    return this.#usage(window, at, countOf(window) >= this.quota.points)
  }

  /** What was counted since the last time, by key; `settle` takes the sums, or undefined if they are unknown. */
  takeAdded(): { key: string; count: number; endsAt: number; settle: (sum: Sum | undefined) => void }[] {
    const at = this.#now()
    this.#sweep(at)
    return [...this.#windows].flatMap(([key, window]) => {
      if (window.added === 0) return []
      const count = window.added
      window.sent += count
      window.added = 0
      const settle = (sum: Sum | undefined) => {
        window.sent -= count
        if (sum === undefined) window.added += count
        else Object.assign(window, { shared: sum.count, endsAt: sum.endsAt.getTime() })
      }
      return [{ key, count, endsAt: window.endsAt, settle }]
    })
  }

  #windowOf(key: string, at: number): Window {
    const known = this.#windows.get(key)
    if (known !== undefined && known.endsAt > at) return known
    if (at >= this.#sweepAt) this.#sweep(at)
    const window = { endsAt: at + this.quota.windowSeconds * SECOND, shared: 0, sent: 0, added: 0 }
    this.#windows.set(key, window)
    return window
  }

  #sweep(at: number): void {
    this.#sweepAt = at + this.quota.windowSeconds * SECOND
    for (const [key, { endsAt }] of this.#windows) if (endsAt <= at) this.#windows.delete(key)
  }

  #usage(window: Window, at: number, isOver: boolean): Usage {
    const resetSeconds = Math.max(1, Math.ceil((window.endsAt - at) / SECOND))
    return { quota: this.quota, isOver, remaining: Math.max(0, this.quota.points - countOf(window)), resetSeconds }
  }
}

type Sum = { count: number; endsAt: Date }

export type SharedLimits = {
  /** A limit whose counts are added up under this name. */
  limit(kind: string, quota: Quota): RateLimit
  /** Adds up what was counted since the last time. */
  exchange(): Promise<void>
}

/** `isShared` is false only in a negative control, which shows that counting in memory alone is detected. */
export function shareLimits({ run, now }: { run: Db; now: Clock }, isShared = true): SharedLimits {
  const limits: { kind: string; limit: RateLimit }[] = []
  return {
    limit(kind, quota) {
      const limit = new RateLimit(quota, now)
      limits.push({ kind, limit })
      return limit
    },
    async exchange() {
      if (!isShared) return
      const taken = limits.flatMap(({ kind, limit }) =>
        limit.takeAdded().map(({ key, settle, ...counted }) => {
          const added: AddedRate = { kind, key: digestOf(`${kind}\n${key}`), ...counted }
          return { added, settle }
        }),
      )
      if (taken.length === 0) return
      const nameOf = ({ kind, key }: Pick<AddedRate, 'kind' | 'key'>) => `${kind}\n${key.toString('hex')}`
      const sums = new Map<string, Sum>()
      try {
        const rows = await addRates(
          run,
          taken.map(({ added }) => added),
          now(),
        )
        for (const row of rows) sums.set(nameOf(row), row)
      } finally {
        for (const { added, settle } of taken) settle(sums.get(nameOf(added)))
      }
    },
  }
}

export type ExactLimit = {
  use(key: string): Promise<Omit<Usage, 'remaining'>>
  /** Takes back a request that was counted. */
  refund(key: string): Promise<void>
}

/** A limit across all processes: one upsert for each request. */
export function exactLimit({ run, now }: { run: Db; now: Clock }, kind: string, quota: Quota): ExactLimit {
  const { points: most, windowSeconds: seconds } = quota
  const chargeOf = (key: string) => ({ kind, key: digestOf(`${kind}\n${key}`), most, seconds })
  return {
    async use(key) {
      const [reached] = await chargeRates(run, [chargeOf(key)], now())
      return { quota, isOver: reached !== undefined, resetSeconds: reached?.retrySeconds ?? seconds }
    },
    refund: async (key) => void (await refundRates(run, [chargeOf(key)], now())),
  }
}

/** For limits whose figures are not published: `what` names the requests that there were too many of. */
export const tooMany = (what: string, retrySeconds: number): Refusal => rateLimited(`Too many ${what}.`, retrySeconds)

/** For published quotas: `what` names the requests that the quota counts. */
export const moreThanQuota = (what: string, { quota, resetSeconds }: Omit<Usage, 'remaining'>): Refusal =>
  rateLimited(`More than ${quota.points} ${what} in ${quota.windowSeconds} s for this ${quota.name}.`, resetSeconds)

const rateLimited = (sentence: string, retrySeconds: number) =>
  new Refusal('rate_limited', `${sentence} Retry in ${retrySeconds} s.`, { 'Retry-After': String(retrySeconds) })

// The two header fields of the IETF draft: the policies in force, and the remainder of each.

export const policyOf = (quotas: readonly Quota[]): string =>
  quotas.map(({ name, points, windowSeconds }) => `"${name}";q=${points};w=${windowSeconds}`).join(', ')

export const rateLimitOf = (...usages: readonly Usage[]): string =>
  usages.map(({ quota, remaining, resetSeconds }) => `"${quota.name}";r=${remaining};t=${resetSeconds}`).join(', ')
