// `recordCache` caches DNS data that all projects need: the nameservers of top-level domains and the addresses of
// nameservers. Entries live for their time to live, and never longer than five minutes.

import { FreshCache } from '../load/cache.ts'

/** What was found, and the time to live of its records. */
export type Learnt<Value> = { value: Value; seconds: number }

export type RecordCache<Value> = FreshCache<Learnt<Value>>

const HOLD_MS_MAX = 300_000

export const recordCache = <Value>({ countMax, now }: { countMax: number; now: () => number }): RecordCache<Value> =>
  new FreshCache({ holdMs: HOLD_MS_MAX, holdMsOf: ({ seconds }) => seconds * 1000, countMax, now })
