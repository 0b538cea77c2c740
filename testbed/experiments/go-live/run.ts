// From a corrected record to a website: many domains, each watched by its owner, with DNS
// correct or wrong at first. Then each zone is edited on its real nameservers, at moments
// independent of our schedule, and a visitor from outside requests the page until it is served.
// The time runs from the moment when all nameservers of the zone have acknowledged the edit.

import { startEnvironment, type Environment, type EnvironmentOptions } from '../../harness/full-environment.ts'
import { watchTopics } from '../../harness/event-stream.ts'
import { visit } from '../../harness/visitor.ts'
import type { World, WorldServer, WorldZone } from '../../internet/world.ts'
import { WATCHED } from '../../../server/src/domains/lifecycle/cadence.ts'
import { statement } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { openOutside, type Outside } from './outside.ts'
import { NAMES_PER_SHOP, openShops, type Shop } from './owners.ts'

/** Milliseconds after the edit was acknowledged; null if it never happened. */
export type Journey = {
  hostname: string
  /** Duration of the edit itself, which is not counted. */
  editMs: number
  seen: number | null
  verified: number | null
  stored: number | null
  deployed: number | null
  served: number | null
  /** Number of requests by the visitor. */
  asked: number
  /** The last error of the visitor and the last status of the domain, if it was never served. */
  why: string
}

export type GoLiveOptions = {
  domains: number
  edges?: number
  /** Between two corrections; with 0 all come at the same instant. */
  spacingMs?: number
  patienceMs?: number
  pebble?: EnvironmentOptions['pebble']
  /** Pause of the background work when there is nothing to do. */
  pauseMs?: number
}

export type Measured = {
  journeys: Journey[]
  /**
   * The negative control: the status that a visitor gets at the end who trusts another
   * authority. 0 is no response.
   */
  stranger: number
  errors: string[]
}

/** Often enough for tenths of a second; more requests would slow down the machine. */
const ASKS_EVERY_MS = 100
/** Everything runs on one machine: closer together, the domains would wait for each other. */
const SPACING_MS = 1000
/** As many event streams as an account may have open; each carries up to sixteen topics. */
const PAGES_MAX = 10
/** The default pause of the program. */
const PAUSE_MS = 100

export async function timeGoLive(appUrl: string, options: GoLiveOptions): Promise<Measured> {
  const { domains: count, edges = 2, pauseMs = PAUSE_MS, pebble = {} } = options
  const zones = Array.from({ length: count }, (_, index) => zoneOf(`shop-${index}.test`, index))
  const environment = await startEnvironment(appUrl, { edges, pauseMs, pebble, world: { zones } })
  try {
    const outside = await openOutside()
    try {
      return await measure(environment, outside, zones, options)
    } finally {
      await outside.close()
    }
  } finally {
    await environment.close()
  }
}

async function measure(
  environment: Environment,
  outside: Outside,
  zones: readonly WorldZone[],
  { spacingMs = SPACING_MS, patienceMs = 30_000 }: GoLiveOptions,
): Promise<Measured> {
  const { world, service, edges, httpsPort: port, pebble } = environment
  const ca = await pebble.rootPem()
  const shops = await openShops(environment, Math.ceil(zones.length / NAMES_PER_SHOP))
  const names = zones.flatMap(({ zone }, index): Name[] => {
    const shop = shops[Math.floor(index / NAMES_PER_SHOP)]
    return shop ? [{ zone, shop, hostname: `www.${zone}` }] : []
  })
  for (const { shop, hostname } of names) await shop.add(hostname)
  const topics = names.map(({ shop, hostname }) => `domain:${shop.slug}/${hostname}`)
  const pages = Math.min(names.length, PAGES_MAX)
  const streams = await Promise.all(
    Array.from({ length: pages }, async (_, page) => {
      // Each at a time of its own, otherwise all would be checked at the same instant from then on.
      await after(Math.random() * WATCHED)
      const shown = topics.filter((_topic, index) => index % pages === page)
      return watchTopics(service.origin, shown, service.headers)
    }),
  )
  const addresses = edges.map(({ address }) => address)
  const journeys = await Promise.all(
    names.map(async (name, index) => {
      await after(spacingMs * (index + Math.random()))
      const { editMs, at } = await correct(world, name)
      const job = { hostname: name.hostname, addresses, port, ca, everyMs: ASKS_EVERY_MS, patienceMs }
      return { name, editMs, acknowledgedAt: at, visited: await outside.awaitLive(job) }
    }),
  )
  const orders = await ordersOf(environment)
  const outcomes = await Promise.all(
    journeys.map(async ({ name: { shop, hostname }, editMs, acknowledgedAt, visited }): Promise<Journey> => {
      const since = (at: number | null | undefined) => (typeof at === 'number' ? at - acknowledgedAt : null)
      const happened = await settledHistory(shop, hostname, visited.at !== null)
      return {
        hostname,
        editMs,
        seen: since(happened['domain.dns_detected'] ?? happened['domain.verified']),
        verified: since(happened['domain.verified']),
        stored: since(orders.get(hostname)?.endedAt?.getTime()),
        deployed: since(happened['domain.live']),
        served: since(visited.at),
        asked: visited.asked,
        why:
          visited.at === null ? `${visited.why}; ${await shop.stands(hostname)}; ${orders.get(hostname)?.problem}` : '',
      }
    }),
  )
  for (const stream of streams) stream.close()
  const [place, name] = [{ address: addresses[0] ?? '', port, ca: pebble.tlsRootPem }, names[0]?.hostname ?? '']
  const { status: stranger } = await visit(place, name)
  const errors = service.errors.map(({ message, cause }) => `${message}: ${String(cause)}`)
  return { journeys: outcomes, stranger, errors }
}

type Name = { zone: string; shop: Shop; hostname: string }

/** Each on two of three servers, as zones of the internet are on several; half of them have a wrong record. */
function zoneOf(zone: string, index: number): WorldZone {
  const roles = ['first', 'second', 'third'] as const
  const servers = [0, 1].map((turn): WorldServer => {
    const role = roles[(index + turn) % roles.length] ?? 'first'
    return { name: `ns${turn + 1}.${zone}`, role }
  })
  return { zone, servers, records: index % 2 === 0 ? [] : ['www A 192.0.2.10'] }
}

async function correct(world: World, { zone, shop }: Name): Promise<{ editMs: number; at: number }> {
  const began = performance.now()
  await world.edit(zone, { remove: ['www A'], add: [`www CNAME ${shop.defaultHost}.`] })
  return { editMs: performance.now() - began, at: performance.timeOrigin + performance.now() }
}

type OrderRow = { hostname: string; endedAt: Date | null; problem: string | null }

const orderRows = statement<OrderRow, []>(
  'how-orders-stand',
  `select hostname, ended_at as "endedAt", problem
   from certificate_orders
   where state <> 'abandoned'`,
)

async function ordersOf({ service: { database } }: Environment): Promise<Map<string, OrderRow>> {
  const rows = await database.run(orderRows)
  return new Map(rows.map((row) => [row.hostname, row]))
}

const HISTORY_MS = 3000

/** Visitors may be served a moment before the owner is notified: the history is complete a little later. */
async function settledHistory(shop: Shop, hostname: string, isServed: boolean): Promise<Record<string, number>> {
  const until = performance.now() + HISTORY_MS
  for (;;) {
    const happened = await shop.history(hostname)
    if (!isServed || 'domain.live' in happened || performance.now() > until) return happened
    await after(100)
  }
}

const after = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))
