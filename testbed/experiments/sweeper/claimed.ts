// How many claims a second succeed while many timers are claimed already, and while most timers are due, as after an
// outage. A claimed timer is due when its claim ends; the negative control leaves it in the range that every claim reads.
// That of the outage claims by a limit that the planner does not know.

import pg from 'pg'
import { claimTimers, type Timer } from '../../../server/src/foundation/postgres/timer-leases.io.ts'
import {
  openDatabase,
  statement,
  type Db,
  type Statement,
} from '../../../server/src/foundation/postgres/postgres.io.ts'
import { withClient, type SweeperUrls } from './environment.ts'

export type ClaimedRate = { timers: number; claimed: number; claims: number; perSecond: number }

const AT_ONCE = 32
const LEASE_SECONDS = 600

export async function measureClaimed(
  { ownerUrl, appUrl }: SweeperUrls,
  { timers, claimed, claims, isBroken }: { timers: number; claimed: number; claims: number; isBroken: boolean },
): Promise<ClaimedRate> {
  await withClient(ownerUrl, (client) => fill(client, timers, claimed + claims * AT_ONCE))
  const database = openDatabase({ url: appUrl, poolMax: 1, onError: () => {} })
  for (let left = claimed; left > 0;) {
    left -= (await claimTimers(database.run, 'domain', left, LEASE_SECONDS)).length
  }
  await withClient(ownerUrl, async (client) => {
    if (isBroken)
      await client.query(`update due_directory set due_at = now() - interval '1 hour' where claimed_until > now()`)
    await client.query('vacuum analyze due_directory')
  })
  const perSecond = await rateOf(claims, () => claimTimers(database.run, 'domain', AT_ONCE, LEASE_SECONDS))
  await database.close()
  return { timers, claimed, claims, perSecond }
}

export type OutageRate = { timers: number; due: number; claims: number; perSecond: number }

/** Most timers are due at the same time. */
export async function measureOutage(
  { ownerUrl, appUrl }: SweeperUrls,
  { timers, due, claims, isBroken }: { timers: number; due: number; claims: number; isBroken: boolean },
): Promise<OutageRate> {
  await withClient(ownerUrl, (client) => fill(client, timers, due))
  const database = openDatabase({ url: appUrl, poolMax: 1, onError: () => {} })
  const run: Db = isBroken ? (one, ...values) => database.run(withoutLimit(one), ...values) : database.run
  const perSecond = await rateOf(claims, () => claimTimers(run, 'domain', AT_ONCE, LEASE_SECONDS))
  await database.close()
  return { timers, due, claims, perSecond }
}

/** What a claim would be if its limit were only a parameter. */
const withoutLimit = <Row, Values extends readonly unknown[]>({ name, text }: Statement<Row, Values>) =>
  statement<Row, Values>(`${name}-without-limit`, text.replace('limit 100', ''))

async function rateOf(claims: number, claim: () => Promise<readonly Timer[]>): Promise<number> {
  const begin = performance.now()
  for (let count = 0; count < claims; count += 1) {
    const { length } = await claim()
    if (length !== AT_ONCE) throw new Error(`claimed ${length} rows`)
  }
  return Math.round((claims * 1000) / (performance.now() - begin))
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
