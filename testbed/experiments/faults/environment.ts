// The environment for faults of authorities: one authority that most domains share, and one each
// for faults that affect every client. CAA selects the authority of a domain, as in production:
// each row has a project, and so a default host, whose CAA record names it. Nothing is done to a
// domain except what its row defines.

import { randomBytes } from 'node:crypto'
import { firstSettings } from '@petstore-platform/contract/platform/site'
import { openKeys, type Keys } from '../../../server/src/certificates/key-encryption.io.ts'
import { readKeyRing } from '../../../server/src/certificates/settings.ts'
import { statement } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { setPlan } from '../../../server/src/plans/plans.io.ts'
import { createProject } from '../../../server/src/projects/projects.io.ts'
import { inProjectOf } from '../../../server/src/projects/scope.io.ts'
import { publishAtOnce } from '../../harness/publish.ts'
import {
  startEnvironment,
  type Reach,
  type Environment,
  type EnvironmentAuthority,
} from '../../harness/full-environment.ts'
import { startAcmeFaults, type AcmeFaults } from '../../internet/acme-faults.ts'
import { startPebble, type Pebble } from '../../internet/pebble.ts'
import type { Row } from './row.ts'

/** So short that both early and regular renewals are minutes away. */
const LIFE_SECONDS = 3600

export type RowAuthority = { faults: AcmeFaults; pebble: Pebble }

export type FaultsEnvironment = {
  stage: Environment
  keys: Keys
  authorityOf(row: Row): RowAuthority
  /**
   * Moves the clock of the service and its background work; then every domain is checked, so
   * that the next check lies in the future.
   */
  moveClock(ms: number): Promise<void>
  close(): Promise<void>
}

/** Another domain of the row's project, for what has to exist beforehand. */
export const earlierOf = ({ name, zone }: Row): string => `first.${name}.${zone}`
export const hostnameOf = ({ name, zone }: Row): string => `${name}.${zone}`

const bringChecksForward = statement<never, []>(
  'hurry-looks',
  `update due_directory
   set due_at = now()
   where kind = 'domain'`,
)

const SHARED = 'letsencrypt.org'
const domainOf = ({ at, name }: Row): string => (at === 'shared' ? SHARED : `${name}.authority.test`)

export async function openEnvironment(appUrl: string, rows: readonly Row[]): Promise<FaultsEnvironment> {
  const clock = { ahead: 0 }
  const authorities = new Map<string, RowAuthority>()
  const ring = `faults=${randomBytes(32).toString('base64')}`
  const environment = await startEnvironment(appUrl, {
    now: () => Date.now() + clock.ahead,
    pauseMs: 50,
    world: { zones: zonesFor(rows), platformRecords: rows.flatMap(hostRecords) },
    pebble: { validitySeconds: LIFE_SECONDS },
    env: {
      CERTIFICATE_KEYS: ring,
      ACME_CONTACT: 'certificates@petstore.example',
      CERTIFICATE_AUTHORITIES: [...new Set([SHARED, ...rows.map(domainOf)])].join(','),
      // Many domains of one zone are checked at once, which does not happen in production.
      DNS_QUESTIONS_PER_SECOND: '10000',
    },
    authority: (pebble, reach) => startAuthorities(rows, authorities, pebble, reach),
  })
  try {
    await openProjects(environment, rows)
  } catch (error) {
    await environment.close()
    throw error
  }
  return {
    stage: environment,
    keys: openKeys(readKeyRing(ring) ?? []),
    authorityOf: (row) => found(authorities.get(domainOf(row))),
    async moveClock(ms) {
      clock.ahead += ms
      await environment.service.database.run(bringChecksForward)
    },
    close: () => environment.close(),
  }
}

const zonesFor = (rows: readonly Row[]) =>
  Map.groupBy(rows, ({ zone }) => zone)
    .entries()
    .map(([zone, within]) => ({ zone, records: within.flatMap(recordsOf) }))
    .toArray()

const recordsOf = (row: Row): string[] =>
  [hostnameOf(row), earlierOf(row)].map((name) => `${name}. 60 CNAME ${row.name}.petstore.test.`)

const hostRecords = (row: Row): string[] => [`${row.name} A 127.0.80.1`, `${row.name} CAA 0 issue "${domainOf(row)}"`]

async function openProjects({ service }: Environment, rows: readonly Row[]): Promise<void> {
  const { database, owner } = service
  const inProject = inProjectOf(database)
  for (const { name } of rows) {
    const project = await createProject(database, { slug: name, name, owner: owner.account })
    await setPlan({ inProject }, project, 'enterprise', 'operator')
    await publishAtOnce(inProject, project, { settings: firstSettings(name), categories: [], logo: null })
  }
}

async function startAuthorities(
  rows: readonly Row[],
  authorities: Map<string, RowAuthority>,
  pebble: Pebble,
  reach: Reach,
): Promise<EnvironmentAuthority> {
  const closers: (() => Promise<void>)[] = []
  const roots = [pebble.tlsRootPem]
  const start = async (domain: string, behind: Pebble) => {
    const faults = await startAcmeFaults(behind)
    closers.push(() => faults.close())
    authorities.set(domain, { faults, pebble: behind })
    return faults.directoryUrl
  }
  const close = async () => {
    for (const end of closers.splice(0).toReversed()) await end()
  }
  try {
    const directoryUrl = await start(SHARED, pebble)
    const others: Record<string, string> = {}
    for (const row of rows.filter(({ at }) => at !== 'shared')) {
      const behind = row.at === 'own process' ? await startPebble({ ...reach, ...row.manners }) : pebble
      if (behind !== pebble) {
        closers.push(() => behind.close())
        roots.push(behind.tlsRootPem)
      }
      others[domainOf(row)] = await start(domainOf(row), behind)
    }
    return { directoryUrl, root: roots.join('\n'), others, close }
  } catch (error) {
    await close()
    throw error
  }
}

function found(authority: RowAuthority | undefined): RowAuthority {
  if (!authority) throw new Error('a row has no authority')
  return authority
}
