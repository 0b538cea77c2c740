// Response times of Verify, over every fixture of the corpus: requested from the service over
// HTTP, with PostgreSQL and the nameservers of a test internet, dead ones among them. Each check
// begins with empty caches, as the first one of a domain does.

import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import type { Fixture } from '../../zones/fixture.ts'
import { probeInside } from '../../zones/run.ts'
import { startWorldService, type WorldService } from '../../harness/service-environment.ts'
import { startWorld, type World } from '../../internet/world.ts'
import type { Observe } from '../../../server/src/program/domains.ts'
import { add } from '../../../server/src/domains/advance.io.ts'
import { observe } from '../../../server/src/domains/observing/observe.io.ts'
import { openDns } from '../../../server/src/foundation/dns/client.io.ts'

export type VerifyTime = { hostname: string; status: number; ms: number }

type CorpusOptions = {
  atOnce?: number
  /** The negative control: an observer without a time budget. */ isSlow?: boolean
}

export async function timeVerify(
  appUrl: string,
  fixtures: readonly Fixture[],
  options: CorpusOptions = {},
): Promise<VerifyTime[]> {
  const [plain, caching] = [false, true].map((memory) =>
    fixtures.filter(({ remembers = false }) => remembers === memory),
  )
  return [
    ...(await timeIn('off', appUrl, plain ?? [], options)),
    ...(await timeIn('real', appUrl, caching ?? [], options)),
  ]
}

async function timeIn(
  cache: 'off' | 'real',
  appUrl: string,
  fixtures: readonly Fixture[],
  { atOnce = 2, isSlow = false }: CorpusOptions,
): Promise<VerifyTime[]> {
  if (fixtures.length === 0) return []
  const world = await startWorld({ zones: fixtures.flatMap(({ zones }) => zones), cache, webTls: true })
  const checking = observerOf(world, fixtures, isSlow)
  const slug = `corpus-${randomBytes(4).toString('hex')}`
  const service = await startWorldService(world, appUrl, { slug, isWorking: false, observe: checking })
  try {
    const waiting = [...fixtures]
    const times: VerifyTime[] = []
    const verifyAll = async () => {
      for (let fixture = waiting.shift(); fixture; fixture = waiting.shift()) {
        await add(service.domains, service.owner, fixture.hostname, () => {})
        await fixture.before?.(world)
        times.push(await verify(service, fixture.hostname))
      }
    }
    await Promise.all(Array.from({ length: atOnce }, verifyAll))
    return times
  } finally {
    await service.stop()
    await world.close()
  }
}

/** Checks a domain as its fixture defines it; nothing outside the test internet is queried. */
function observerOf(world: World, fixtures: readonly Fixture[], isSlow: boolean): Observe {
  const known = new Map(fixtures.map((fixture) => [fixture.hostname, fixture]))
  return async (wanted, options) => {
    const fixture = known.get(wanted.hostname)
    if (!fixture) throw new Error(`${wanted.hostname} is not in the corpus`)
    if (isSlow) await new Promise((resolve) => setTimeout(resolve, 3000))
    const probe = (address: string) => probeInside(world, fixture, address)
    const dns = openDns({ ...world.dns, randomBytes })
    return observe(dns, probe, { ...wanted, ...fixture.wanted }, options)
  }
}

async function verify({ origin, headers, owner }: WorldService, hostname: string): Promise<VerifyTime> {
  const began = performance.now()
  const status = await post(`${origin}/platform/v1/projects/${owner.slug}/domains/${hostname}/verify`, headers)
  return { hostname, status, ms: performance.now() - began }
}

const post = (url: string, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    request(url, { method: 'POST', headers, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
      .on('error', reject)
      .end()
  })
