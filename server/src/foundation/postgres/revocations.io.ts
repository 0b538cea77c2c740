// `watchRevocations` invalidates cached secrets: keys, sessions, tokens. One small query, run more
// often than cached entries expire, revalidates all of them at once; the digests it returns are
// dropped from the caches. A notification may speed this up, but nothing relies on it.

import { statement, type Db } from './postgres.io.ts'

/** A cache of secrets by their digest in hexadecimal. */
export type Holder = { forget(digest: string): void; confirm(at: number): void }

export type Revocations = {
  hold(holder: Holder): void
  /** Drops this digest from all caches. */
  forget(digest: string): void
  /** Queries what has changed; called before the first request, and then more often than cached entries expire. */
  check(): Promise<void>
}

export const REVOCATION_CHANNEL = 'petstore_revocations'

export function watchRevocations({ run, monotonic }: { run: Db; monotonic: () => number }): Revocations {
  const holders: Holder[] = []
  let since = NOW
  const forget = (digest: string) => holders.forEach((holder) => holder.forget(digest))
  return {
    hold: (holder) => void holders.push(holder),
    forget,
    async check() {
      const at = monotonic()
      const { digests, until } = await revokedSince(run, since)
      digests.forEach(forget)
      // A failure changes nothing: cached entries age, and the next query starts from the same
      // position.
      since = until
      for (const holder of holders) holder.confirm(at)
    },
  }
}

/** A start position that excludes everything recorded before the query. */
export const NOW = '18446744073709551615'

const findRevocations = statement<{ digests: string[]; until: string }, [since: string]>(
  'find-revocations',
  `select coalesce(array_agg(encode(digest, 'hex')), '{}') as digests,
     pg_snapshot_xmin(pg_current_snapshot())::text as until
   from revocation_directory
   where xact >= $1::xid8`,
)

/**
 * The digests of secrets that have changed since an earlier query, and the position for the next
 * one. A digest may be returned twice, if it was recorded while other transactions were in
 * progress; none is left out.
 */
export const revokedSince = async (run: Db, since: string): Promise<{ digests: string[]; until: string }> => {
  const [found] = await run(findRevocations, since)
  if (!found) throw new Error('an aggregate gave no row')
  return found
}

const sweepRevocationRows = statement<never, []>(
  'sweep-revocations',
  `delete from revocation_directory
   where noted_at < now() - interval '1 hour'`,
)

/** Every process has queried many times since then. */
export const sweepRevocations = (run: Db) => run(sweepRevocationRows)
