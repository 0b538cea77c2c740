// `RateLimit` counts requests in fixed windows, in the memory of this process. The figures are
// exact for one process; with several, each counts its own share.

import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Refusal } from '../refusal.ts'

export type Quota = { name: string; points: number; windowSeconds: number }

export type Usage = { quota: Quota; isOver: boolean; remaining: number; resetSeconds: number }

export class RateLimit {
  readonly quota: Quota
  readonly #limiter: RateLimiterMemory

  constructor(quota: Quota) {
    this.quota = quota
    this.#limiter = new RateLimiterMemory({ points: quota.points, duration: quota.windowSeconds })
  }

  use(key: string): Promise<Usage> {
    return this.#limiter.consume(key).then(
      (found) => this.#usage(found, false),
      (error: unknown) => {
        if (error instanceof RateLimiterRes) return this.#usage(error, true)
        throw error
      },
    )
  }

  /** The current usage, without counting a request. */
  async look(key: string): Promise<Usage> {
    const found = await this.#limiter.get(key)
    if (found === null) {
      return { quota: this.quota, isOver: false, remaining: this.quota.points, resetSeconds: this.quota.windowSeconds }
    }
    return this.#usage(found, found.consumedPoints >= this.quota.points)
  }

  #usage({ remainingPoints, msBeforeNext }: RateLimiterRes, isOver: boolean): Usage {
    const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000))
    return { quota: this.quota, isOver, remaining: Math.max(0, remainingPoints), resetSeconds }
  }
}

/** For limits whose figures are not published: `what` names the requests that there were too many of. */
export const tooMany = (what: string, retrySeconds: number): Refusal => rateLimited(`Too many ${what}.`, retrySeconds)

/** For published quotas: `what` names the requests that the quota counts. */
export const moreThanQuota = (what: string, { quota, resetSeconds }: Usage): Refusal =>
  rateLimited(`More than ${quota.points} ${what} in ${quota.windowSeconds} s for this ${quota.name}.`, resetSeconds)

const rateLimited = (sentence: string, retrySeconds: number) =>
  new Refusal('rate_limited', `${sentence} Retry in ${retrySeconds} s.`, { 'Retry-After': String(retrySeconds) })

// The two header fields of the IETF draft: the policies in force, and the remainder of each.

export const policyOf = (quotas: readonly Quota[]): string =>
  quotas.map(({ name, points, windowSeconds }) => `"${name}";q=${points};w=${windowSeconds}`).join(', ')

export const rateLimitOf = (...usages: readonly Usage[]): string =>
  usages.map(({ quota, remaining, resetSeconds }) => `"${quota.name}";r=${remaining};t=${resetSeconds}`).join(', ')
