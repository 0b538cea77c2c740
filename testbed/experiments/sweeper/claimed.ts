// How many claims a second succeed while many timers are claimed already. A claimed timer is due when its claim ends;
// the negative control leaves it in the range that every claim reads.

import pg from 'pg'
import { claimTimers } from '../../../server/src/foundation/postgres/timers.io.ts'
import { openDatabase } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { withClient, type SweeperUrls } from './environment.ts'

export type ClaimedRate = { timers: number; claimed: number; claims: number; perSecond: number }

const AT_ONCE = 32
const LEASE_SECONDS = 600
const CLAIMED_TOGETHER = 2000

export async function measureClaimed(
  { ownerUrl, appUrl }: SweeperUrls,
  { timers, claimed, claims, isBroken }: { timers: number; claimed: number; claims: number; isBroken: boolean },
): Promise<ClaimedRate> {
  await withClient(ownerUrl, (client) => fill(client, timers, claimed + claims * AT_ONCE))
  const database = openDatabase({ url: appUrl, poolMax: 1, onError: () => {} })
  // In pieces: the program gives no statement the time that all of them take.
  for (let left = claimed; left > 0; left -= CLAIMED_TOGETHER) {
    await claimTimers(database.run, 'domain', Math.min(left, CLAIMED_TOGETHER), LEASE_SECONDS)
  }
  await withClient(ownerUrl, async (client) => {
    if (isBroken)
      await client.query(`update due_directory set due_at = now() - interval '1 hour' where claimed_until > now()`)
    await client.query('vacuum analyze due_directory')
  })
  const begin = performance.now()
  for (let count = 0; count < claims; count += 1) {
    const rows = await claimTimers(database.run, 'domain', AT_ONCE, LEASE_SECONDS)
    if (rows.length !== AT_ONCE) throw new Error(`claimed ${rows.length} rows`)
  }
  const seconds = (performance.now() - begin) / 1000
  await database.close()
  return { timers, claimed, claims, perSecond: Math.round(claims / seconds) }
}

/** So many of the timers are due; the others wait for up to an hour. */
async function fill(client: pg.Client, timers: number, due: number): Promise<void> {
  await client.query(
    `insert into due_directory (kind, project_id, id, due_at)
     select 'domain', 1 + number % 1000, 'dom_' || number,
       now() + make_interval(secs => case when number <= $2 then -60 else 600 + 3600 * random() end)
     from generate_series(1, $1::integer) as number`,
    [timers, due],
  )
  await client.query('vacuum analyze due_directory')
}
