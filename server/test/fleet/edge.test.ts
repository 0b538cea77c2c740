// Replication end to end: the edge's own client follows the control plane's own feed, from
// an empty table of many pages, through changes, a reset and a restart of the control plane.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { isEverywhere } from '../../src/fleet/confirmations.ts'
import { awaitConfirmed } from '../../src/fleet/jobs.io.ts'
import { asOwner, cloneDatabase } from '../../../testbed/harness/database.ts'
import { GONE, SITE, elapsed, openFleet, say, until, type Fleet } from './environment.ts'
import { startFollowing } from './following-edge.ts'

const ROUTES = 12_000
const HEAD = 30_000
let fleet: Fleet

beforeAll(async () => {
  const storage = await cloneDatabase()
  await asOwner(storage, async (client) => {
    await client.query(
      `insert into route_directory (hostname, seq, kind, slug, generation, serial)
       select 'shop' || n || '.example.com', n, 'site', 'slug-' || n % 100, 1, 'serial' || n
       from generate_series(1, $1::integer) n`,
      [ROUTES],
    )
    // Whatever position an edge has in this table is before what is forgotten.
    await client.query('update route_clock set seq = $1, forgotten = $1', [HEAD])
  })
  fleet = await openFleet({ storage })
})
afterAll(() => fleet.close())

test('an edge reads the whole table once, applies changes, and is known to have them', async () => {
  const edge = startFollowing(fleet.control.port, await fleet.newEdge('whole'))
  const { run } = fleet.database
  await until(() => edge.table.size === ROUTES && edge.table.seq === HEAD)
  expect(edge.resets()).toBe(0)

  const times: number[] = []
  for (let round = 1; round <= 20; round++) {
    const hostname = `shop${round}.example.com`
    const { ms } = await elapsed(async () => {
      const seq = await fleet.put(hostname, GONE)
      const confirmations = await awaitConfirmed(run, seq, { patienceMs: 1000 })
      expect(isEverywhere(confirmations)).toBe(true)
      // Confirmed means that it no longer serves the hostname.
      expect(edge.table.find(hostname)).toBeUndefined()
    })
    times.push(ms)
  }
  times.sort((one, other) => one - other)
  say(
    `a removal, until the edge has confirmed it: median ${times[10]?.toFixed(0)} ms, worst ${times.at(-1)?.toFixed(0)} ms`,
  )
  expect(times[17]).toBeLessThan(500)
  expect(edge.errors).toEqual([])
  await edge.stop()
})

test('an edge continues after the control plane was unreachable', async () => {
  const identity = await fleet.newEdge('follows')
  const first = await fleet.start()
  const edge = startFollowing(first.port, identity)
  await until(() => edge.table.seq >= HEAD)
  await first.stop()
  const seq = await fleet.put('meanwhile.example.com', SITE)
  expect(edge.table.find('meanwhile.example.com')).toBeUndefined()
  const second = await fleet.start({}, first.port)
  await until(() => edge.table.find('meanwhile.example.com')?.seq === seq)
  expect(edge.resets()).toBe(0)
  await edge.stop()
  await second.stop()
})
