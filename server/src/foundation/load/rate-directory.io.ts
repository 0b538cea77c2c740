// Counts what may be done only so often in a period, across all processes: in one unlogged table, with one upsert for
// everything that is counted together. A crash of PostgreSQL empties the table, and the periods begin again.
//
// Three ways to count: requests of visitors, which all have one period and are counted in the transaction that stores
// them (`countRates`); attempts, which are charged before it is known whether they fail, so that no number of processes
// or of concurrent attempts exceeds an allowance (`chargeRates`, `refundRates`); and amounts that are added up: quotas,
// which each process counts in its memory and adds once a second, and the bytes of deleted photos (`addRates`).

import { statement, type Db } from '../postgres/postgres.io.ts'

/** `key`: an HMAC of who is counted; the table names no person and no address. */
export type Counted = { kind: string; key: Buffer; most: number }

// The locks of the rows are taken in one order, so that two transactions never deadlock. A period begins with what is
// counted first; a row whose period is over begins another one. What has reached its most returns no row.
const countRows = statement<
  { kind: string },
  [kinds: readonly string[], keys: readonly Buffer[], mosts: readonly number[], now: Date, seconds: number]
>(
  'count-rates',
  `insert into rate_directory as known (kind, key, ends_at, count)
   select kind, key, $4::timestamptz + make_interval(secs => $5), 1
   from unnest($1::text[], $2::bytea[], $3::int[]) as asked (kind, key, most)
   order by kind, key
   on conflict (kind, key) do update
   set count = case when known.ends_at <= $4 then 1 else known.count + 1 end,
     ends_at = case when known.ends_at <= $4 then excluded.ends_at else known.ends_at end
   where known.ends_at <= $4 or known.count < (
     select most
     from unnest($1::text[], $2::bytea[], $3::int[]) as asked (kind, key, most)
     where asked.kind = known.kind and asked.key = known.key
   )
   returning kind`,
)

export type CountRates = typeof countRates

/**
 * Counts all of them once, and returns the kinds that have reached their most: those are not counted. The caller then
 * rolls its transaction back, so that none is.
 */
export async function countRates(
  db: Db,
  counted: readonly Counted[],
  { now, windowSeconds }: { now: number; windowSeconds: number },
): Promise<string[]> {
  const admitted = await db(
    countRows,
    counted.map(({ kind }) => kind),
    counted.map(({ key }) => key),
    counted.map(({ most }) => most),
    new Date(now),
    windowSeconds,
  )
  const kinds = new Set(admitted.map(({ kind }) => kind))
  return counted.map(({ kind }) => kind).filter((kind) => !kinds.has(kind))
}

/** `most`: the allowance of a period of so many seconds. */
export type Charge = { kind: string; key: Buffer; most: number; seconds: number }

// If any allowance is used up, nothing is charged and nothing is written. Of attempts that arrive together, those beyond
// an allowance are found by the condition of the update.
const chargeRows = statement<
  { kind: string; endsAt: Date | null },
  [kinds: readonly string[], keys: readonly Buffer[], mosts: readonly number[], seconds: readonly number[], now: Date]
>(
  'charge-rates',
  `with asked as (
     select kind, key, most, seconds
     from unnest($1::text[], $2::bytea[], $3::int[], $4::int[]) as asked (kind, key, most, seconds)
   ), reached as (
     select known.kind, known.ends_at
     from asked
       join rate_directory known on known.kind = asked.kind and known.key = asked.key
     where known.ends_at > $5 and known.count >= asked.most
   ), charged as (
     insert into rate_directory as known (kind, key, ends_at, count)
     select kind, key, $5::timestamptz + make_interval(secs => seconds), 1
     from asked
     where not exists (select from reached)
     order by kind, key
     on conflict (kind, key) do update
     set count = case when known.ends_at <= $5 then 1 else known.count + 1 end,
       ends_at = case when known.ends_at <= $5 then excluded.ends_at else known.ends_at end
     where known.ends_at <= $5 or known.count < (
       select most
       from asked
       where asked.kind = known.kind and asked.key = known.key
     )
     returning kind
   )
   select kind, ends_at as "endsAt"
   from reached
   union all
   select kind, null
   from charged`,
)

/** An allowance that is used up, and for how long. */
export type Reached = { kind: string; retrySeconds: number }

/** Charges all of them once and returns nothing, or charges none and returns those that are used up. */
export async function chargeRates(db: Db, charges: readonly Charge[], now: number): Promise<Reached[]> {
  const rows = await db(
    chargeRows,
    charges.map(({ kind }) => kind),
    charges.map(({ key }) => key),
    charges.map(({ most }) => most),
    charges.map(({ seconds }) => seconds),
    new Date(now),
  )
  const reached = rows.flatMap(({ kind, endsAt }) => (endsAt === null ? [] : [{ kind, endsAt }]))
  if (reached.length > 0) return reached.map(({ kind, endsAt }) => ({ kind, retrySeconds: secondsTo(endsAt, now) }))
  const charged = new Set(rows.map(({ kind }) => kind))
  const beyond = charges.filter(({ kind }) => !charged.has(kind))
  if (beyond.length === 0) return []
  await refundRates(
    db,
    charges.filter(({ kind }) => charged.has(kind)),
    now,
  )
  return beyond.map(({ kind, seconds }) => ({ kind, retrySeconds: seconds }))
}

const secondsTo = (end: Date, now: number) => Math.max(1, Math.ceil((end.getTime() - now) / 1000))

const refundRows = statement<never, [kinds: readonly string[], keys: readonly Buffer[], now: Date]>(
  'refund-rates',
  `with locked as (
     select known.kind, known.key
     from unnest($1::text[], $2::bytea[]) as asked (kind, key)
       join rate_directory known on known.kind = asked.kind and known.key = asked.key
     where known.ends_at > $3 and known.count > 0
     order by known.kind, known.key
     for update of known
   )
   update rate_directory as known
   set count = known.count - 1
   from locked
   where known.kind = locked.kind and known.key = locked.key`,
)

/** Takes back what was charged. */
export const refundRates = (db: Db, charges: readonly Pick<Charge, 'kind' | 'key'>[], now: number) =>
  db(
    refundRows,
    charges.map(({ kind }) => kind),
    charges.map(({ key }) => key),
    new Date(now),
  )

/** What a process has counted since it last added it up, in the period that it knows of. */
export type AddedRate = { kind: string; key: Buffer; count: number; endsAt: number }

const addRows = statement<
  { kind: string; key: Buffer; count: number; endsAt: Date },
  [kinds: readonly string[], keys: readonly Buffer[], counts: readonly number[], ends: readonly Date[], now: Date]
>(
  'add-rates',
  `insert into rate_directory as known (kind, key, ends_at, count)
   select kind, key, ends_at, count
   from unnest($1::text[], $2::bytea[], $3::int[], $4::timestamptz[]) as added (kind, key, count, ends_at)
   order by kind, key
   on conflict (kind, key) do update
   set count = case
       when known.ends_at <= $5 then excluded.count
       else least(known.count::bigint + excluded.count, 2147483647)::int
     end,
     ends_at = case when known.ends_at <= $5 then excluded.ends_at else known.ends_at end
   returning kind, key, count, ends_at as "endsAt"`,
)

/** Adds all of them with one statement, and returns the sums over all processes. */
export const addRates = (db: Db, added: readonly AddedRate[], now: number) =>
  db(
    addRows,
    added.map(({ kind }) => kind),
    added.map(({ key }) => key),
    added.map(({ count }) => count),
    added.map(({ endsAt }) => new Date(endsAt)),
    new Date(now),
  )
