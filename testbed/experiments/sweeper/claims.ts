// How many claims of 32 timers a second succeed: among many timers, while many are claimed already, and while most are due, as
// after an outage. Each way of claiming that would be slow is a negative control.

import pg from 'pg'
import { claimTimers } from '../../../server/src/foundation/postgres/timer-leases.io.ts'
import {
  openDatabase,
  statement,
  type Db,
  type Statement,
} from '../../../server/src/foundation/postgres/postgres.io.ts'
import { withClient, type SweeperUrls } from './environment.ts'

/** The index of due timers; the move of a claimed one out of the range that every claim reads; a limit that is a number. */
export type ClaimGuard = 'index' | 'move' | 'limit'

export type ClaimOptions = {
  timers: number
  /** Claimed before. */
  claimed?: number
  /** Those that will be claimed, unless given. */
  due?: number
  claims: number
  /** Negative control. */
  without?: ClaimGuard | undefined
}
export type ClaimRate = ClaimOptions & { perSecond: number }

const AT_ONCE = 32
const LEASE_SECONDS = 600

export async function measureClaims({ ownerUrl, appUrl }: SweeperUrls, options: ClaimOptions): Promise<ClaimRate> {
  const { timers, claimed = 0, claims, due = claimed + claims * AT_ONCE, without } = options
  await withClient(ownerUrl, (client) => fill(client, timers, due))
  const database = openDatabase({ url: appUrl, poolMax: 1, onError: () => {} })
  try {
    for (let left = claimed; left > 0;) left -= (await claimTimers(database.run, 'domain', left, LEASE_SECONDS)).length
    await withClient(ownerUrl, async (client) => {
      if (without === 'index') await client.query('drop index due_by_kind')
      if (without === 'move')
        await client.query(`update due_directory set due_at = now() - interval '1 hour' where claimed_until > now()`)
      await client.query('vacuum analyze due_directory')
    })
    const unlimited: Db = (one, ...values) => database.run(withoutLimit(one), ...values)
    const run = without === 'limit' ? unlimited : database.run
    const begin = performance.now()
    for (let count = 0; count < claims; count += 1) {
      const { length } = await claimTimers(run, 'domain', AT_ONCE, LEASE_SECONDS)
      if (length !== AT_ONCE) throw new Error(`claimed ${length} rows`)
    }
    return { ...options, perSecond: Math.round((claims * 1000) / (performance.now() - begin)) }
  } finally {
    await database.close()
  }
}

/** What a claim would be if its limit were only a parameter. */
const withoutLimit = <Row, Values extends readonly unknown[]>({ name, text }: Statement<Row, Values>) =>
  statement<Row, Values>(`${name}-without-limit`, text.replace('limit 100', ''))

/** So many of the timers are due; the others, some of another kind, wait for up to an hour. */
async function fill(client: pg.Client, timers: number, due: number): Promise<void> {
  await client.query(
    `insert into due_directory (kind, project_id, id, due_at)
     select case when number > $2 and number % 100 = 0 then 'order_expiry' else 'domain' end, 1 + number % 1000,
       'dom_' || number, now() + make_interval(secs => case when number <= $2 then -60 else 600 + 3600 * random() end)
     from generate_series(1, $1::integer) as number`,
    [timers, due],
  )
  await client.query('vacuum analyze due_directory')
}
