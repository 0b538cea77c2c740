// Two versions of the protocol on one control plane: an edge that speaks protocol 1 follows the host
// table while it holds what that edge does not know; only edges that serve dashboard and API receive
// their names and certificates.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordedFirstEdge } from '../../../testbed/harness/protocol-1-edge.ts'
import { createHostTable } from '../../src/edge/host-table.ts'
import type { Leads } from '../../src/fleet/directory.io.ts'
import type { Changes } from '../../src/fleet/protocol.ts'
import { GONE, SITE, openFleet, takeIn, until, type Edge, type Fleet } from './environment.ts'
import { startFollowing } from './following-edge.ts'

const CHANGES = 1000
const SERVICE: Leads = { kind: 'service', serial: '02' }
const WILDCARD: Leads = { kind: 'wildcard', serial: '03' }
const SUSPENDED: Leads = { kind: 'suspended', slug: 'willow' }
const REDIRECT: Leads = { kind: 'redirect', slug: 'willow', serial: '01', target: 'h1.example.com', status: 308 }

let fleet: Fleet
let first: Edge
let sites: Edge
let api: Edge

beforeAll(async () => {
  fleet = await openFleet()
  first = await fleet.earlierEdge('first')
  sites = await fleet.newEdge('sites')
  api = await fleet.newEdge('api', { servesApi: true })
})
afterAll(() => fleet.close())

/** The kinds in turn, over a few names, so that each name changes its kind often. */
async function change(index: number): Promise<number> {
  if (index % 7 === 0) return fleet.put('*.shops.example', index % 21 === 0 ? GONE : WILDCARD)
  if (index % 5 === 0) return fleet.put('app.example.com', index % 20 === 0 ? SITE : SERVICE)
  const leads = [SITE, SUSPENDED, REDIRECT, GONE][index % 4] ?? GONE
  return fleet.put(`h${index % 13}.example.com`, leads)
}

test(`an edge that speaks protocol 1 follows ${CHANGES} changes of all kinds, and misses none it can know`, async () => {
  const edge = recordedFirstEdge()
  const round = async () => {
    const { status, json } = await first.send({ path: `/edge/v1/changes?${edge.query()}` })
    expect(status).toBe(200)
    expect(edge.take(json)).toBe(true)
  }
  let head = 0
  for (let index = 1; index <= CHANGES; index += 1) {
    head = await change(index)
    if (index % 3 === 0) await round()
  }
  // The last change is one that the edge does not receive; its number still counts as confirmed.
  await fleet.put('app.example.com', SERVICE)
  head = await fleet.put('*.shops.example', WILDCARD)
  await until(async () => (await round(), edge.seq >= head), 60_000)

  const whole = new Map<string, Changes['routes'][number]>()
  takeIn(whole, await api.changes(0, 0, '&protocol=2'))
  const known = [...whole.values()].filter(({ kind }) => kind === 'site' || kind === 'redirect')
  const order = (names: Iterable<{ hostname: string; kind: string; seq: number }>) =>
    [...names].map(({ hostname, kind, seq }) => `${seq} ${hostname} ${kind}`).toSorted()
  expect(order(edge.table.values())).toEqual(order(known))
  expect([...whole.values()].map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['service', 'wildcard', 'suspended', 'site']),
  )

  // A new one, from the beginning.
  const fresh = recordedFirstEdge()
  await until(async () => {
    fresh.take((await first.send({ path: `/edge/v1/changes?${fresh.query()}` })).json)
    return fresh.seq >= head
  }, 60_000)
  expect(order(fresh.table.values())).toEqual(order(known))
})

test('without the filter it rejects the whole response (negative control)', async () => {
  for (const leads of [SERVICE, SUSPENDED]) {
    const seq = await fleet.put('unfiltered.example.com', leads)
    const unfiltered = await api.changes(seq - 1, 1000, '&protocol=2')
    expect(unfiltered.routes).toHaveLength(1)
    expect(recordedFirstEdge().take(unfiltered)).toBe(false)
  }
  const seq = await fleet.put('*.shops.example', GONE)
  expect(recordedFirstEdge().take(await api.changes(seq - 1, 1000, '&protocol=2'))).toBe(false)
})

test('only an edge that serves the API receives its name, whatever protocol the others speak', async () => {
  const seq = await fleet.put('app.example.com', SERVICE)
  const kindsFor = async (edge: Edge, more = '') =>
    (await edge.changes(seq - 1, 1000, more)).routes.map(({ kind }) => kind)
  expect(await kindsFor(api, '&protocol=2')).toEqual(['service'])
  expect(await kindsFor(sites, '&protocol=2')).toEqual(['gone'])
  expect(await kindsFor(first)).toEqual(['gone'])
  expect(await kindsFor(api)).toEqual(['gone'])
  expect((await api.changes(0, 0, '&protocol=2')).audience).toBe('api')
  expect((await sites.changes(0, 0, '&protocol=2')).audience).toBe('sites')
  expect((await first.changes(0)).audience).toBeUndefined()
})

test('an edge whose table was of another part starts over once, and then has what it lacked', async () => {
  await fleet.put('app.example.com', SERVICE)
  const head = await fleet.put('*.shops.example', WILDCARD)
  // As after an upgrade: a table that protocol 1 has filled up to the last number.
  const table = createHostTable()
  const before = recordedFirstEdge()
  before.take(await first.changes(0))
  for (const { hostname, seq, slug = '' } of before.table.values()) {
    table.apply({ seq, hostname, kind: 'site', slug, generation: '1', serial: '01' })
  }
  table.advance(head)
  expect(table.find('*.shops.example')).toBeUndefined()
  const edge = startFollowing(fleet.control.port, api, table)
  await until(() => edge.table.find('*.shops.example')?.kind === 'wildcard' && edge.audience() === 'api', 60_000)
  expect(edge.table.find('app.example.com')?.kind).toBe('service')
  const later = await fleet.put('later.example.com')
  await until(() => edge.table.seq >= later, 60_000)
  expect([edge.resets(), edge.errors]).toEqual([1, []])
  await edge.stop()
})
