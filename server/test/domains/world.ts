// The environment for domains on real servers: the service, its background work and
// PostgreSQL, with DNS from the nameservers and resolvers of a test internet on loopback. A
// test plays the owner through `/platform/v1`, and the registrar by editing zones.

import { randomBytes } from 'node:crypto'
import type { Domain } from '@petstore-platform/contract/platform/domain-shapes'
import { expect } from 'vitest'
import { atEnd } from '../../../testbed/harness/at-end.ts'
import { envOf } from '../../../testbed/harness/service-environment.ts'
import { startWorld, type World, type WorldOptions, type WorldZone } from '../../../testbed/internet/world.ts'
import { parseConfig, type Config } from '../../src/program/config.ts'
import type { Observe } from '../../src/program/domains.ts'
import { observe as observeWith } from '../../src/domains/observing/observe.io.ts'
import { openDns } from '../../src/foundation/dns/client.io.ts'
import { startWork } from '../../src/program/work.ts'
import { openEvents } from '../../../testbed/harness/event-stream.ts'
import { startPeople, type People } from '../platform/people.ts'
import { DASHBOARD, PLATFORM, type PlatformOwner } from '../../../testbed/harness/platform.ts'

export type WorldPlatform = {
  world: World
  people: People
  config: Config
  /** Starts background work, and stops it when `during` ends. */
  working<T>(during: () => Promise<T>): Promise<T>
  /** Watches as the dashboard does, until the domain is as wanted. */
  watchedUntil(owner: PlatformOwner, hostname: string, isSo: (domain: Domain) => boolean): Promise<Domain>
}

/**
 * All zones of a test internet are on three servers; at the query rate for the internet,
 * tests would wait for them.
 */
function observerIn({ dns: places }: World): Observe {
  const dns = openDns({ ...places, randomBytes, perSecond: 5000, burst: 5000 })
  return (wanted, options) => observeWith(dns, undefined, wanted, options)
}

export async function startWorldPlatform(
  zones: readonly WorldZone[],
  { cache = 'off' }: Pick<WorldOptions, 'cache'> = {},
): Promise<WorldPlatform> {
  const world = await startWorld({ zones, cache })
  atEnd(() => world.close())
  const env = { ...envOf(world), DASHBOARD_ORIGIN: DASHBOARD }
  const observe = observerIn(world)
  const people = await startPeople({ observe, env })
  const config = parseConfig({ ...env, DATABASE_URL: people.test.database.appUrl })
  return {
    world,
    people,
    config,
    async working(during) {
      const errors: Error[] = []
      const work = await startWork(config, { observe, pauseMs: 20, onError: (error) => void errors.push(error) })
      try {
        return await during()
      } finally {
        await work.stop()
        expect(errors).toEqual([])
      }
    },
    async watchedUntil({ slug, cookie }, hostname, isSo) {
      const path = `${PLATFORM}/watch?topics=domain:${slug}/${hostname}`
      const stream = await openEvents(people.test.origin, path, { Cookie: cookie })
      try {
        for (let event = await stream.next(); event; event = await stream.next()) {
          const { domain } = JSON.parse(event.data) as { domain?: Domain }
          if (domain && isSo(domain)) return domain
        }
        throw new Error(`${hostname} never came so far: ${stream.text()}`)
      } finally {
        stream.close()
      }
    },
  }
}
