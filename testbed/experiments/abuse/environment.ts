// The environment of the abuse experiment: everything real between a visitor and the authority,
// and two projects. Domains of the noisy project resolve to us in our own checks and elsewhere
// for the authority (split-horizon DNS): so all our checks pass, and every order fails where it
// is most expensive.

import { publishAtOnce } from '../../harness/publish.ts'
import { startEnvironment, type Environment } from '../../harness/full-environment.ts'
import { startAcmeFaults, type AcmeFaults } from '../../internet/acme-faults.ts'
import { startSplitHorizon } from '../../internet/split-horizon.ts'
import { webRoles } from '../../internet/web-roles.ts'
import type { Role, WorldZone } from '../../internet/world.ts'
import { firstSettings } from '@petstore-platform/contract/platform/site'
import type { AccountId } from '../../../server/src/accounts/account-queries.ts'
import { setPlan } from '../../../server/src/plans/plans.io.ts'
import type { Member } from '../../../server/src/projects/membership.io.ts'
import { createProject } from '../../../server/src/projects/projects.io.ts'
import { inProjectOf } from '../../../server/src/projects/scope.io.ts'

export type AbuseEnvironment = {
  stage: Environment
  /** The noisy project: all its domains are broken. It uses the session of the environment. */
  crowd: Member
  /** The good project: it only wants certificates for its own domains. */
  good: Member
  brokenNames: readonly string[]
  goodNames: readonly string[]
  /** Orders and failures as recorded at the authority. */
  authority: { orders: AcmeFaults['orders']; failures: () => readonly AbuseFailure[] }
  close(): Promise<void>
}

/** A failed authorization: the authority requested the token, and it was not there. */
export type AbuseFailure = { hostname: string; at: number }

export type AbuseEnvironmentOptions = {
  domains: number
  goodDomains: number
  silentShare: number
  env?: Record<string, string>
}

const CROWD = 'crowd'
const GOOD = 'quiet-shop'
const NAMES_PER_ZONE = 100

export async function openEnvironment(appUrl: string, options: AbuseEnvironmentOptions): Promise<AbuseEnvironment> {
  const silent = Math.round(options.domains * options.silentShare)
  const zones = zonesOf(options.domains - silent, silent, options.goodDomains)
  const resolver = await startSplitHorizon(isBad, webRoles.missing.address)
  let proxy: AcmeFaults | undefined
  const environment = await startEnvironment(appUrl, {
    slug: CROWD,
    edges: 1,
    world: { zones },
    pebble: { dnsServer: resolver.address },
    env: { RATE_LIMIT_PER_ACCOUNT: '1200', ...options.env },
    authority: async (pebble) => {
      const faults = (proxy = await startAcmeFaults(pebble))
      return { directoryUrl: faults.directoryUrl, root: faults.tlsRootPem, close: () => faults.close() }
    },
  }).catch(async (error: unknown) => {
    await resolver.close()
    throw error
  })
  resolver.leadTo(environment.world.dns.resolvers[0] ?? { address: '', port: 0 })
  const failures: AbuseFailure[] = []
  const seen = new Set<string>()
  await environment.world.web.serve('missing', ({ headers, url }, response) => {
    const hostname = (headers.host ?? '').replace(/:\d+$/, '')
    // Authorities validate from several vantage points, each with the same token.
    if (!seen.has(`${hostname} ${url}`)) failures.push({ hostname, at: Date.now() })
    seen.add(`${hostname} ${url}`)
    response.writeHead(404).end()
  })
  return {
    stage: environment,
    crowd: environment.service.owner,
    good: await openShop(environment),
    brokenNames: zones
      .filter(({ zone }) => isBad(zone))
      .flatMap(namesIn)
      .slice(0, options.domains),
    goodNames: zones
      .filter(({ zone }) => !isBad(zone))
      .flatMap(namesIn)
      .slice(0, options.goodDomains),
    authority: { orders: () => proxy?.orders() ?? [], failures: () => failures },
    async close() {
      await environment.close()
      await resolver.close()
    },
  }
}

async function openShop({ service: { database } }: Environment): Promise<Member> {
  const project = await createProject(database, { slug: GOOD, name: GOOD })
  await setPlan({ inProject: inProjectOf(database) }, project, 'pro', 'operator')
  const content = { settings: firstSettings('Quiet shop'), categories: [], logo: null }
  await publishAtOnce(inProjectOf(database), project, content)
  return { project, slug: GOOD, account: 'acc_of_a_measurement' as AccountId, role: 'owner' }
}

const isBad = (name: string) => /(^|\.)bad-/.test(name)

const namesIn = ({ zone }: WorldZone): string[] =>
  Array.from(
    { length: zone.startsWith('good-') ? GOOD_PER_ZONE : NAMES_PER_ZONE },
    (_, index) => `shop-${index}.${zone}`,
  )

const GOOD_PER_ZONE = 10

/** The good domains are at a provider of their own. */
function zonesOf(failing: number, silent: number, good: number): WorldZone[] {
  const zone = (name: string, slug: string, roles: readonly Role[]): WorldZone => ({
    zone: name,
    servers: roles.map((role, index) => ({ name: `ns${index + 1}.${name}`, role })),
    records: [`* 60 CNAME ${slug}.petstore.test.`],
  })
  const some = (count: number, perZone: number, make: (index: number) => WorldZone) =>
    Array.from({ length: Math.ceil(count / perZone) }, (_, index) => make(index))
  return [
    ...some(good, GOOD_PER_ZONE, (index) => zone(`good-${index}.test`, GOOD, ['third'])),
    ...some(failing, NAMES_PER_ZONE, (index) => zone(`bad-${index}.test`, CROWD, ['first', 'second'])),
    ...some(silent, NAMES_PER_ZONE, (index) => zone(`bad-silent-${index}.test`, CROWD, ['silent'])),
  ]
}
