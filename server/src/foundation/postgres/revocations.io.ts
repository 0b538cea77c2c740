// What became of secrets that this process may hold in memory: keys, sessions,
// tokens. One small question, asked more often than anything is held, confirms
// all of them at once; whatever the answer names is forgotten. A notification may
// hurry that up, and nothing relies on it.

import { statement, type Db } from './postgres.io.ts'

/** Whoever holds secrets by their digest, in hexadecimal. */
export type Holder = { forget(digest: string): void; confirm(at: number): void }

export type Revocations = {
  hold(holder: Holder): void
  /** Everybody forgets this one. */
  forget(digest: string): void
  /** Asks what has changed; called before the first request, and then more often than anything is held. */
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
      // A failure changes nothing: what is held ages, and the next question asks from the same moment on.
      since = until
      for (const holder of holders) holder.confirm(at)
    },
  }
}

/** As a beginning: nothing that was noted before the question. */
export const NOW = '18446744073709551615'

const findRevocations = statement<{ digests: string[]; until: string }, [since: string]>(
  'find-revocations',
  `select coalesce(array_agg(encode(digest, 'hex')), '{}') as digests,
     pg_snapshot_xmin(pg_current_snapshot())::text as until
   from revocation_directory
   where xact >= $1::xid8`,
)

/**
 * The digests of secrets that have changed since an earlier question, and from where to ask on. One may be told twice,
 * if it was noted while other transactions were under way; none is left out.
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

/** Every process has asked many times since. */
export const sweepRevocations = (run: Db) => run(sweepRevocationRows)
