// Time until an owner who watches is shown that DNS was corrected. Many domains at once, each
// with a wrong record for a day already, so that only the open page brings checks forward; then
// each zone is edited on its real nameservers, at moments independent of our schedule. The time
// runs from before the edit begins until `verified` has come through the event stream.

import { randomBytes } from 'node:crypto'
import type { Domain } from '@petstore-platform/contract/platform/domain-shapes'
import { TOPICS_MAX } from '@petstore-platform/contract/platform/watching'
import { startWorldService, type WorldService } from '../../harness/service-environment.ts'
import { startWorld, type World, type WorldServer, type WorldZone } from '../../internet/world.ts'
import type { Observe } from '../../../server/src/program/domains.ts'
import { addDomain, getDomain } from '../../../server/src/domains/domains.io.ts'
import { observe as look } from '../../../server/src/domains/observing/observe.io.ts'
import { openDns } from '../../../server/src/foundation/dns/client.io.ts'
import type { Dns } from '../../../server/src/foundation/dns/port.ts'
import { setTimer } from '../../../server/src/foundation/postgres/timer-leases.io.ts'
import { statement } from '../../../server/src/foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../../../server/src/projects/scope.io.ts'
import { watchTopics, type EventStream } from '../../harness/event-stream.ts'

export type Corrections = { times: number[]; /** Not verified within the timeout. */ missed: number; errors: string[] }

type WatchedOptions = {
  domains: number
  /** The period over which the edits are spread. */
  spreadMs?: number
  patienceMs?: number
  /** False is the negative control: no page is open, so no check is brought forward. */
  isWatched?: boolean
  /** All domains share the rate limits of three nameservers, as if they were at one provider. */
  isCrowded?: boolean
}

export async function timeCorrections(appUrl: string, options: WatchedOptions): Promise<Corrections> {
  const { domains: count, spreadMs = 5000, patienceMs = 30_000, isWatched = true, isCrowded = false } = options
  const slug = `watched-${randomBytes(4).toString('hex')}`
  const zones = Array.from({ length: count }, (_, index) => zoneOf(`${slug}-${index}.test`, index))
  const world = await startWorld({ zones })
  const observe = isCrowded ? undefined : observerOf(world)
  const service = await startWorldService(world, appUrl, { slug, isWorking: true, ...(observe && { observe }) })
  try {
    const names = zones.map(({ zone }) => ({ zone, hostname: `shop.${zone}` }))
    for (const { hostname } of names) await addLongAgo(service, hostname)
    const watched = isWatched
      ? await watch(
          service,
          names.map(({ hostname }) => hostname),
        )
      : undefined
    const outcomes = await Promise.all(
      names.map(async ({ zone, hostname }, index) => {
        await after((spreadMs * index) / count)
        const began = performance.now()
        const seen = watched?.verified(hostname) ?? verifiedAlone(service, hostname, began + patienceMs)
        await correct(world, zone, slug)
        const isSeen = await Promise.race([seen, after(patienceMs, false)])
        return isSeen ? performance.now() - began : null
      }),
    )
    watched?.close()
    const times = outcomes.filter((ms) => ms !== null)
    return {
      times,
      missed: count - times.length,
      errors: service.errors.map(({ message, cause }) => `${message}: ${String(cause)}`),
    }
  } finally {
    await service.stop()
    await world.close()
  }
}

/** A test internet has three nameservers, the internet has many: each domain is rate-limited as if it had its own. */
function observerOf(world: World): Observe {
  const clients = new Map<string, Dns>()
  return (wanted, options) => {
    const dns = clients.get(wanted.hostname) ?? openDns({ ...world.dns, randomBytes })
    clients.set(wanted.hostname, dns)
    return look(dns, undefined, wanted, options)
  }
}

/** Each on two of three servers, as zones of the internet are on several. */
function zoneOf(zone: string, index: number): WorldZone {
  const roles = ['first', 'second', 'third'] as const
  const servers = [0, 1].map((turn): WorldServer => {
    const role = roles[(index + turn) % roles.length] ?? 'first'
    return { name: `ns${turn + 1}.${zone}`, role }
  })
  return { zone, servers, records: ['shop A 192.0.2.10'] }
}

const correct = (world: World, zone: string, slug: string): Promise<void> =>
  world.edit(zone, { remove: ['shop A'], add: [`shop CNAME ${slug}.petstore.test.`] })

const sendBackRow = statement<never, [project: ProjectId, id: string]>(
  'send-domain-back-a-day',
  `update domains
   set asked_at = asked_at - interval '1 day', next_look_at = next_look_at + interval '1 minute'
   where project_id = $1 and id = $2`,
)

/** Added, checked, and last requested a day ago: the next check is a minute away. */
async function addLongAgo({ domains, owner }: WorldService, hostname: string): Promise<void> {
  const { project } = owner
  const { row, status } = await addDomain(domains, owner, hostname)
  if (status.name !== 'action_required') throw new Error(`${hostname} begins as ${status.name}`)
  await domains.inProject(project, async (db) => {
    await db(sendBackRow, project, row.id)
    await setTimer(db, { kind: 'domain', project, id: row.id }, 60)
  })
}

type Watched = {
  /** Resolves when an open stream reports the domain as verified. */ verified(hostname: string): Promise<true>
  close(): void
}

/** As few streams as carry all topics: an account may have only ten open. */
async function watch({ origin, headers, owner }: WorldService, hostnames: readonly string[]): Promise<Watched> {
  const verified = new Map(hostnames.map((hostname) => [hostname, Promise.withResolvers<true>()]))
  const groups = Array.from({ length: Math.ceil(hostnames.length / TOPICS_MAX) }, (_, index) =>
    hostnames.slice(index * TOPICS_MAX, (index + 1) * TOPICS_MAX),
  )
  const topicOf = (hostname: string) => `domain:${owner.slug}/${hostname}`
  const streams = await Promise.all(groups.map((group) => watchTopics(origin, group.map(topicOf), headers)))
  const follow = async (stream: EventStream) => {
    for (let event = await stream.next(); event; event = await stream.next()) {
      const { domain } = JSON.parse(event.data) as { domain?: Domain }
      if (domain?.status === 'issuing') verified.get(domain.hostname)?.resolve(true)
    }
  }
  for (const stream of streams) void follow(stream)
  return {
    verified: (hostname) => verified.get(hostname)?.promise ?? Promise.reject(new Error(`${hostname} is not watched`)),
    close: () => streams.forEach((stream) => stream.close()),
  }
}

async function verifiedAlone({ domains, owner }: WorldService, hostname: string, until: number): Promise<boolean> {
  while (performance.now() < until) {
    if ((await getDomain(domains, owner, hostname)).status.name === 'issuing') return true
    await after(250)
  }
  return false
}

const after = <Value>(ms: number, value?: Value): Promise<Value | undefined> =>
  new Promise((resolve) => void setTimeout(() => resolve(value), ms).unref())
