// Offers the responses to challenges, and withdraws them. What an edge serves is only a row; a TXT record
// is in a zone of someone else's servers, so a timer remembers it from before it is added until after it
// was removed.

import type { Database, Db } from '../foundation/postgres/postgres.io.ts'
import { setTimer } from '../foundation/postgres/timer-leases.io.ts'
import { SECOND, type Clock } from '../foundation/time.ts'
import { challengeRecordOf, challengeTypeOf } from './challenge-type.ts'
import { OPEN_MAX } from './lifecycle.ts'
import * as stored from './stored-queries.ts'

/** Removes the TXT record of a challenge; its id is the name and the value of the record. */
export const CHALLENGE_RECORD_DUE = 'challenge_record'

/** Withdraws what was offered. A TXT record is removed by a worker, because no transaction waits for a nameserver. */
export async function endChallenges(db: Db, hostname: string): Promise<void> {
  const offered = await stored.dropChallenges(db, hostname)
  if (challengeTypeOf(hostname) !== 'dns-01') return
  for (const value of offered) await setTimer(db, challengeRecordTimer(hostname, value), 0)
}

const challengeRecordTimer = (hostname: string, value: string) => ({
  kind: CHALLENGE_RECORD_DUE,
  project: 0n,
  id: `${challengeRecordOf(hostname)} ${value}`,
})

/**
 * Stores the response to a challenge before it is published. The TXT record of a wildcard is removed when its order
 * ends, and after a while even if this process ends before that is known.
 */
export const offerChallenge = (
  { database, now }: { database: Pick<Database, 'transaction'>; now: Clock },
  challenge: { hostname: string; token: string; keyAuthorization: string },
): Promise<void> =>
  database.transaction({}, async (db) => {
    await stored.putChallenge(db, challenge, now() + 2 * OPEN_MAX)
    const { hostname, keyAuthorization } = challenge
    if (challengeTypeOf(hostname) !== 'dns-01') return
    await setTimer(db, challengeRecordTimer(hostname, keyAuthorization), (2 * OPEN_MAX) / SECOND)
  })
