// Cost of claiming 100 due rows among few and among many timers, alternating in the same run, so
// that other load on the machine affects both alike.

import pg from 'pg'
import { claimTimers } from '../../../server/src/foundation/postgres/timer-leases.io.ts'
import { openDatabase, statement, type Database } from '../../../server/src/foundation/postgres/postgres.io.ts'

type Urls = { ownerUrl: string; appUrl: string }
type Side = { timers: number; median: number }
export type Claims = { few: Side; many: Side; rounds: number; ratio: number }

const CLAIMED = 100
const FEW = 10_000
const WARM_UP = 20

export async function measureClaims(
  few: Urls,
  many: Urls,
  { timers, rounds, isBroken }: { timers: number; rounds: number; isBroken: boolean },
): Promise<Claims> {
  const sides = [
    { ...few, timers: FEW, times: [] as number[] },
    { ...many, timers, times: [] as number[] },
  ]
  const opened: Database[] = []
  for (const { ownerUrl, appUrl, timers: count } of sides) {
    await fill(ownerUrl, count, isBroken)
    opened.push(openDatabase({ url: appUrl, poolMax: 1, onError: () => {} }))
  }
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const [index, { times }] of sides.entries()) {
      const database = opened[index]
      if (!database) continue
      await database.run(makeDue)
      const begin = performance.now()
      const claimed = await claimTimers(database.run, 'domain', CLAIMED, 60)
      if (round >= 0) times.push(performance.now() - begin)
      if (claimed.length !== CLAIMED) throw new Error(`claimed ${claimed.length} rows`)
      await database.run(putBack)
    }
  }
  await Promise.all(opened.map((database) => database.close()))
  const [one, other] = sides.map(({ timers: count, times }) => ({ timers: count, median: medianOf(times) }))
  if (!one || !other) throw new Error('there are two sides')
  return { few: one, many: other, rounds, ratio: other.median / one.median }
}

const medianOf = (times: readonly number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0

/** Domains that wait for up to an hour, as live ones do, and some timers of another kind. */
async function fill(ownerUrl: string, count: number, isBroken: boolean): Promise<void> {
  const client = new pg.Client(ownerUrl)
  await client.connect()
  await client.query(
    `insert into due_directory (kind, project_id, id, due_at)
     select case when number > $2 and number % 100 = 0 then 'order_expiry' else 'domain' end,
       case when number > $2 then 1 + number % 1000 else 0 end, 'dom_' || number,
       now() + make_interval(secs => 600 + 3600 * random())
     from generate_series(1, $1::integer) as number`,
    [count, CLAIMED],
  )
  if (isBroken) await client.query('drop index due_by_kind')
  await client.query('vacuum analyze due_directory')
  await client.end()
}

/** The timers of project 0, which are as many as are claimed. */
const makeDue = statement<never, []>(
  'measure-make-due',
  `update due_directory
   set due_at = now() - interval '1 second'
   where kind = 'domain' and project_id = 0`,
)

const putBack = statement<never, []>(
  'measure-put-back',
  `update due_directory
   set due_at = now() + interval '1 hour', claimed_until = null
   where kind = 'domain' and project_id = 0`,
)
