// `watchRevocations` invalidates cached secrets: keys, sessions, tokens. One small query, run more
// often than cached entries expire, revalidates all of them at once; the digests it returns are
// dropped from the caches. A notification makes processes run it at once, but nothing relies on it.

import { createSharedCalls } from '../load/shared-calls.ts'
import { notify, statement, type Db } from './postgres.io.ts'

/** A cache of secrets by their digest in hexadecimal. */
export type Holder = { forget(digest: string): void; confirm(at: number): void }

export type Revocations = {
  hold(holder: Holder): void
  /**
   * Queries what has changed until now; called before the first request, then more often than cached entries expire, and
   * when a notification arrives.
   */
  check(): Promise<void>
}

export const REVOCATION_CHANNEL = 'petstore_revocations'

/** After a secret was changed or deleted: all processes check, once that has been committed. */
export const notifyRevocation = (db: Db) => notify(db, REVOCATION_CHANNEL, '')

export function watchRevocations({ run, monotonic }: { run: Db; monotonic: () => number }): Revocations {
  const holders: Holder[] = []
  let since = NOW
  const { coalesced } = createSharedCalls()
  const check = async () => {
    const at = monotonic()
    const { digests, until } = await revokedSince(run, since)
    for (const digest of digests) for (const holder of holders) holder.forget(digest)
    // A failure changes nothing: cached entries age, and the next query starts from the same
    // position.
    since = until
    for (const holder of holders) holder.confirm(at)
  }
  return {
    hold: (holder) => void holders.push(holder),
    check: () => coalesced('check', check),
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
