// The feed of the host table on a real PostgreSQL, requested over HTTP as edges do. An edge
// that follows by sequence number misses nothing, however transactions overlap; the same
// checker finds missed changes where numbers are assigned without locking the clock.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forgetGone, listEdges, putRoute, readChanges, readClock, type Leads } from '../../src/fleet/directory.io.ts'
import { CHANGES_MAX, type Route } from '../../src/fleet/protocol.ts'
import { statement } from '../../src/foundation/postgres/postgres.io.ts'
import { asOwner, cloneDatabase } from '../../../testbed/harness/database.ts'
import { withRetries } from '../../../testbed/harness/with-retries.ts'
import { GONE, SITE, elapsed, openFleet, say, takeIn, until, type Edge, type Fleet } from './environment.ts'
import { removeExpired } from '../../../testbed/harness/retention.ts'

let fleet: Fleet
let edge: Edge

beforeAll(async () => {
  fleet = await openFleet()
  edge = await fleet.newEdge('first')
})
afterAll(() => fleet.close())

const pause = statement<never, [seconds: number]>('test-pause', `select pg_sleep($1)`)

const headOf = async ({ database }: Fleet) => (await readClock(database.run)).head

/** The table without removed hostnames. */
async function tableOf({ database }: Fleet): Promise<Map<string, Route>> {
  const table = new Map<string, Route>()
  for (let after = 0; ;) {
    const { routes } = await readChanges(database.run, { after, goneAfter: 0, count: CHANGES_MAX })
    takeIn(table, { isReset: false, routes })
    if (routes.length === 0) return table
    after = routes.at(-1)?.seq ?? after
  }
}

/** Follows by sequence number, as an edge does, until it has reached the given position. */
async function follow(follower: Edge, table: Map<string, Route>, from: number, isEnd: (seq: number) => boolean) {
  const seen: number[] = []
  let after = from
  while (!isEnd(after)) {
    const changes = await follower.changes(after, 200)
    seen.push(...changes.routes.map(({ seq }) => seq))
    takeIn(table, changes)
    after = changes.routes.at(-1)?.seq ?? changes.head
  }
  return { after, seen }
}

describe('an edge that follows the feed', () => {
  test('misses nothing while twenty transactions at a time change routes', async () => {
    const writers = { left: 20, last: 0 }
    const write = async (writer: number) => {
      for (let round = 0; round < 20; round++) {
        const hostname = `h${(writer * 7 + round * 13) % 60}.example.com`
        const leads: Leads = (writer + round) % 4 === 0 ? GONE : { ...SITE, serial: `${writer}-${round}` }
        await withRetries(() =>
          fleet.database.transaction({}, async (db) => {
            const seq = await putRoute(db, hostname, BigInt(round), leads)
            await db(pause, 0.001)
            if (round % 9 === 8) throw new Error('taken back')
            return seq
          }),
        )
          .then((seq) => (writers.last = Math.max(writers.last, seq)))
          .catch((error: Error) => expect(error.message).toBe('taken back'))
      }
      writers.left -= 1
    }
    const table = new Map<string, Route>()
    const following = follow(edge, table, 0, (seq) => writers.left === 0 && seq >= writers.last)
    await Promise.all(Array.from({ length: 20 }, (_, writer) => write(writer)))
    const { seen } = await following
    expect(seen.length).toBeGreaterThan(60)
    expect(seen).toEqual(seen.toSorted((one, other) => one - other))
    expect(table).toEqual(await tableOf(fleet))
  })

  test('continues where it was, also at another process', async () => {
    const table = new Map<string, Route>()
    const first = await fleet.put('first.example.com')
    const { after } = await follow(edge, table, 0, (seq) => seq >= first)
    const second = await fleet.start()
    try {
      const other = fleet.edgeAt(second.port, edge)
      await fleet.put('first.example.com', GONE)
      // Right after this commit, before the second process can have been notified.
      const last = await fleet.put('second.example.com')
      await follow(other, table, after, (seq) => seq >= last)
      expect(table).toEqual(await tableOf(fleet))
      // What one process has returned, another one knows.
      const seq = await fleet.put('third.example.com')
      const [ahead] = await Promise.all([other.changes(seq), edge.changes(seq)])
      expect(ahead).toEqual({ head: seq, isReset: false, routes: [] })
    } finally {
      await second.stop()
    }
  })

  test('receives a change within 100 ms of its commit, while it waits', async () => {
    const times: number[] = []
    let head = await headOf(fleet)
    for (let round = 0; round < 25; round++) {
      const waiting = edge.changes(head, 1000)
      // It is waiting by now: its acknowledgement has arrived.
      await until(async () =>
        (await listEdges(fleet.database.run, 2)).some(({ acknowledged }) => acknowledged === BigInt(head)),
      )
      const seq = await fleet.put(`quick${round}.example.com`)
      const { ms, value } = await elapsed(() => waiting)
      expect(value.routes.map((route) => route.seq)).toEqual([seq])
      head = value.head
      times.push(ms)
    }
    times.sort((one, other) => one - other)
    say(`told after a commit: median ${times[12]?.toFixed(1)} ms, worst ${times.at(-1)?.toFixed(1)} ms`)
    expect(times[22]).toBeLessThan(100)
  })

  test('gets an empty response when its waiting time is over', async () => {
    const head = await headOf(fleet)
    const { ms, value } = await elapsed(() => edge.changes(head, 300))
    expect(value).toEqual({ head, isReset: false, routes: [] })
    expect(ms).toBeGreaterThan(250)
    expect(ms).toBeLessThan(1000)
  })

  test('receives a change within a second when every notification is lost', async () => {
    const deaf = await fleet.start({ isListening: false })
    try {
      const follower = fleet.edgeAt(deaf.port, edge)
      const head = await headOf(fleet)
      const waiting = follower.changes(head, 1000)
      const seq = await fleet.put('unheard.example.com')
      const { ms, value } = await elapsed(() => waiting)
      expect(value.routes.map((route) => route.seq)).toEqual([seq])
      expect(ms).toBeLessThan(1000)
    } finally {
      await deaf.stop()
    }
  })
})

describe('sequence numbers without a lock on the clock', () => {
  /** Follows a numbered table, and returns the rows that it never received. */
  async function missedBy(ask: (after: number) => Promise<{ seq: number }[]>, steps: (() => Promise<unknown>)[]) {
    const seen = new Set<number>()
    let after = 0
    const read = async () => {
      for (const { seq } of await ask(after)) {
        seen.add(seq)
        after = seq
      }
    }
    for (const step of steps) {
      await step()
      await read()
    }
    return (await ask(0)).map(({ seq }) => seq).filter((seq) => !seen.has(seq))
  }

  test('lose changes (negative control)', async () => {
    const storage = await cloneDatabase()
    await asOwner(storage, async (client) => {
      await client.query('create sequence loose_seq; create table loose (hostname text, seq bigint)')
      const other = new pg.Client({ connectionString: storage.ownerUrl })
      await other.connect()
      const put = (by: pg.Client, hostname: string) =>
        by.query(`insert into loose select $1, nextval('loose_seq')`, [hostname])
      const ask = async (after: number) =>
        (await client.query<{ seq: string }>('select seq from loose where seq > $1 order by seq', [after])).rows.map(
          (row) => ({ seq: Number(row.seq) }),
        )
      const missed = await missedBy(ask, [
        () => other.query('begin'),
        () => put(other, 'slow.example.com'),
        () => put(client, 'quick.example.com'),
        () => other.query('commit'),
      ])
      expect(missed).toEqual([1])
      await other.end()
    })
  })

  test('are not ours: a second transaction waits for the first', async () => {
    const head = await headOf(fleet)
    const ask = async (after: number) =>
      (await readChanges(fleet.database.run, { after: Math.max(after, head), goneAfter: 0, count: 100 })).routes
    const isOpen = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const slow = fleet.database.transaction({}, async (db) => {
      await putRoute(db, 'slow.example.com', 1n, SITE)
      isOpen.resolve()
      await mayEnd.promise
    })
    let quick: Promise<number> = Promise.resolve(0)
    const missed = await missedBy(ask, [
      () => isOpen.promise,
      async () => void (quick = fleet.put('quick.example.com')),
      async () => (mayEnd.resolve(), slow),
      () => quick,
    ])
    expect(missed).toEqual([])
  })
})

describe('a removed hostname', () => {
  test('is forgotten after thirty days, a few at a time, and an edge that is behind gets a reset', async () => {
    const place = await openFleet()
    const away = await place.newEdge('away')
    const kept = await place.put('kept.example.com')
    for (const name of ['a', 'b', 'c']) await place.put(`${name}.example.com`)
    const goneAt = [await place.put('a.example.com', GONE), await place.put('b.example.com', GONE)]
    const recent = await place.put('c.example.com', GONE)
    await asOwner(place.storage, (client) =>
      client.query(`update route_directory set changed_at = now() - interval '31 days' where seq = any ($1)`, [goneAt]),
    )
    expect(await forgetGone(place.database.run, 30, 1)).toBe(1)
    expect(await forgetGone(place.database.run, 30, 500)).toBe(1)
    expect(await forgetGone(place.database.run, 30, 500)).toBe(0)
    expect(await removeExpired(place.database, 'route_directory')).toBe(3600)
    await until(async () => (await away.changes(1)).isReset)

    const anew = await away.changes(kept)
    expect(anew).toMatchObject({ head: recent, isReset: true, routes: [{ hostname: 'kept.example.com', seq: kept }] })
    // Its position is still as low, but it names the head at which it started.
    const { head } = anew
    expect(await away.changes(kept, 0, `&begun=${head}`)).toMatchObject({ isReset: false, head: recent })
    // An edge that has seen all that is forgotten gets the rest, and an empty one has nothing to lose.
    const [, last = 0] = goneAt
    expect(await away.changes(last)).toMatchObject({ isReset: false, routes: [{ kind: 'gone', seq: recent }] })
    expect((await away.changes(0)).isReset).toBe(false)
    await place.close()
  })

  test('that returns while it is being forgotten stays', async () => {
    const place = await openFleet()
    await place.put('back.example.com', GONE)
    await asOwner(place.storage, (client) =>
      client.query(`update route_directory set changed_at = now() - interval '31 days'`),
    )
    const isOpen = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const putting = place.database.transaction({}, async (db) => {
      await putRoute(db, 'back.example.com', 2n, SITE)
      isOpen.resolve()
      await mayEnd.promise
    })
    await isOpen.promise
    const forgetting = forgetGone(place.database.run, 30, 500)
    await until(async () => (await place.database.run(waiting)).length > 0)
    mayEnd.resolve()
    await putting
    expect(await forgetting).toBe(0)
    expect([...(await tableOf(place)).keys()]).toEqual(['back.example.com'])
    await place.close()
  })
})

const waiting = statement<{ pid: number }, []>(
  'test-waiting-for-clock',
  `select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%forgotten = greatest%'`,
)

test('a database restored to an earlier state is detected: an edge that is ahead gets a reset', async () => {
  const place = await openFleet()
  const one = await place.newEdge('one')
  await place.put('a.example.com')
  await place.put('b.example.com')
  const head = await headOf(place)
  await one.changes(head)
  const hanging = one.changes(head, 1000)
  await asOwner(place.storage, async (client) => {
    await client.query(`delete from route_directory where hostname = 'b.example.com'`)
    await client.query('update route_clock set seq = 1')
  })
  expect(await hanging).toMatchObject({ head: 1, isReset: true, routes: [{ hostname: 'a.example.com' }] })
  // Its claimed position is not trusted: there may soon be another change with that number.
  await one.changes(head + 100)
  const [row] = await listEdges(place.database.run, 2)
  expect(row?.acknowledged).toBeLessThanOrEqual(BigInt(head))
  await place.close()
})

test('100,000 routes are read from the beginning, even while hostnames are being forgotten', async () => {
  const place = await openFleet()
  await asOwner(place.storage, async (client) => {
    await client.query(`
      insert into route_directory (hostname, seq, kind, slug, generation, serial)
      select 'shop' || n || '.example.com', n, 'site', 'slug-' || n % 1000, n, 'abcdef' || n
      from generate_series(1, 100000) n`)
    await client.query('update route_clock set seq = 120000, forgotten = 110000')
  })
  const beginner = await place.newEdge('beginner')
  await until(async () => (await beginner.changes(120_000)).head === 120_000)
  const table = new Map<string, Route>()
  const { ms } = await elapsed(async () => {
    let after = 0
    let begun = 0
    while (after < 120_000) {
      const changes = await beginner.changes(after, 0, `&begun=${begun}`)
      expect(changes.isReset).toBe(false)
      expect(changes.routes.length).toBeLessThanOrEqual(CHANGES_MAX)
      takeIn(table, changes)
      if (after === 0) begun = changes.head
      after = changes.routes.at(-1)?.seq ?? changes.head
    }
  })
  say(`100,000 routes read from 0 in ${ms.toFixed(0)} ms`)
  expect(table.size).toBe(100_000)
  // An edge that did not name its start would be reset again and again.
  expect((await beginner.changes(5000)).isReset).toBe(true)
  await place.close()
})
