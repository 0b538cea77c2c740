// Charges attempts to the allowances of sign-in-limits.ts. An attempt is charged before it is made and refunded if it
// does not fail: so of attempts that arrive together, at however many processes, no more are made than are allowed.

import type { RefusalCode } from '@petstore-platform/contract/errors'
import type { Db } from '../../foundation/postgres/postgres.io.ts'
import { chargeRates, refundRates, type Charge } from '../../foundation/load/rate-directory.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import type { Clock } from '../../foundation/time.ts'
import { refusalOf, type Allowances } from './sign-in-limits.ts'

export type Attempts = {
  allowances: Allowances
  /** Counts a request, whatever comes of it. */
  count(charges: readonly Charge[]): Promise<void>
  /** Does the work, and counts it only if it fails. */
  countFailure<T>(charges: readonly Charge[], work: () => Promise<T>): Promise<T>
}

/** Where charges are counted: in PostgreSQL, except in a negative control. */
export type ChargeStore = {
  charge: (charges: readonly Charge[], now: number) => ReturnType<typeof chargeRates>
  refund: (charges: readonly Charge[], now: number) => Promise<unknown>
}

export const chargeStoreOf = (run: Db): ChargeStore => ({
  charge: (charges, now) => chargeRates(run, charges, now),
  refund: (charges, now) => refundRates(run, charges, now),
})

export function createAttempts(store: ChargeStore, allowances: Allowances, now: Clock): Attempts {
  const count = async (charges: readonly Charge[]) => {
    const reached = await store.charge(charges, now())
    if (reached.length > 0) throw refusalOf(reached, charges)
  }
  return {
    allowances,
    count,
    async countFailure(charges, work) {
      await count(charges)
      let isFailure = false
      try {
        return await work()
      } catch (error) {
        isFailure = error instanceof Refusal && failures.has(error.code)
        throw error
      } finally {
        if (!isFailure) await store.refund(charges, now())
      }
    },
  }
}

/** A wrong credential. Everything else, such as a service that is too busy to compare, proves nothing about the client. */
const failures: ReadonlySet<RefusalCode> = new Set(['wrong_credentials', 'invalid_field', 'not_found'])
