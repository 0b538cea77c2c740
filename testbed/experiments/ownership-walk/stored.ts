// Stored ownership, read for the random walk and compared with the reference; and the few ways
// to corrupt what is stored, as negative controls.

import { statement, type Database } from '../../../server/src/foundation/postgres/postgres.io.ts'
import type { Member } from '../../../server/src/projects/membership.io.ts'
import { inProjectsOf, type ProjectId } from '../../../server/src/projects/scope.io.ts'
import type { Reference } from './reference.ts'

export type StoredOwnership = {
  database: Database
  reference: Reference
  hostnames: readonly string[]
  shops: readonly Member[]
}

export const shopOf = ({ slug, project }: Member) => ({ slug, id: project as bigint })

/** The first difference between the database and the reference; and the tokens that owners are shown from now on. */
export async function difference(walk: StoredOwnership): Promise<string | null> {
  const { reference, hostnames, shops } = walk
  const stored = await walk.database.run(readNames, [...hostnames])
  for (const hostname of hostnames) {
    const rows = stored.filter((row) => row.hostname === hostname)
    const real = rows.length > 1 ? `${rows.length} holders` : wordsOf(rows[0])
    const wanted = wordsOf(expectedRow(reference, hostname))
    if (real !== wanted) return `${hostname} is ${real} and must be ${wanted}`
  }
  const domains = await domainsOf(
    walk,
    shops.map(({ project }) => project),
  )
  for (const member of shops) {
    for (const hostname of hostnames) {
      const domain = domains.find((row) => row.project === member.project && row.hostname === hostname)
      const isWanted = reference.isAttached(shopOf(member), hostname)
      if ((domain !== undefined) !== isWanted) return `${member.slug} ${isWanted ? 'lacks' : 'still has'} ${hostname}`
      if (!domain) continue
      const { holder, generation } = reference.names.get(hostname) ?? {}
      const held = holder === member.project ? generation : null
      if (domain.generation !== held)
        return `${hostname} of ${member.slug} has generation ${domain.generation}, not ${held}`
      reference.shown(shopOf(member), hostname, domain.token)
    }
  }
  return null
}

type NameRow = {
  hostname: string
  generation: bigint
  holder: bigint | null
  last: bigint | null
  lastGeneration: bigint | null
}

function expectedRow({ names }: Reference, hostname: string): NameRow | undefined {
  const name = names.get(hostname)
  if (!name || name.generation === 0n) return undefined
  const { holder, generation, last } = name
  return { hostname, generation, holder, last: last?.project ?? null, lastGeneration: last?.generation ?? null }
}

/** A name that was never held may have a row or none. */
function wordsOf(row: NameRow | undefined): string {
  if (!row || row.generation === 0n) return 'never held'
  const { generation, holder, last, lastGeneration } = row
  return `held by ${holder ?? 'nobody'} in generation ${generation}, last by ${last} in ${lastGeneration}`
}

const readNames = statement<NameRow, [hostnames: string[]]>(
  'walk-names',
  `select hostname_directory.hostname, hostname_directory.generation, holder.project_id as holder,
     last.project_id as last, last.generation as "lastGeneration"
   from hostname_directory
   left join holder_directory as holder
     on holder.hostname = hostname_directory.hostname and holder.released_at is null
   left join lateral (
     select project_id, generation
     from holder_directory
     where holder_directory.hostname = hostname_directory.hostname
     order by generation desc
     limit 1
   ) as last on true
   where hostname_directory.hostname = any ($1::text[])`,
)

type DomainLine = { project: ProjectId; id: string; hostname: string; generation: bigint | null; token: string }

const readDomains = statement<DomainLine, [projects: ProjectId[], hostname: string | null]>(
  'walk-domains',
  `select project_id as project, id, hostname, generation, token
   from domains
   where project_id = any ($1::bigint[]) and removed_at is null and ($2::text is null or hostname = $2)`,
)

export const domainsOf = (
  { database }: Pick<StoredOwnership, 'database'>,
  projects: readonly ProjectId[],
  hostname: string | null = null,
) => inProjectsOf(database)(projects, (db) => db(readDomains, [...projects], hostname))

export async function tokenOf(
  walk: Pick<StoredOwnership, 'database'>,
  { project }: Member,
  hostname: string,
): Promise<string> {
  const [domain] = await domainsOf(walk, [project], hostname)
  if (!domain) throw new Error('a domain that was added is not there')
  return domain.token
}

const raiseTokens = statement<never, [projects: ProjectId[]]>(
  'sabotage-token-generation',
  `update domains
   set token_generation = 1000000000
   where project_id = any ($1::bigint[])`,
)
const lowerGenerations = statement<never, [hostnames: string[]]>(
  'sabotage-generation',
  `update hostname_directory
   set generation = (
     select coalesce(max(generation), 0)
     from holder_directory
     where holder_directory.hostname = hostname_directory.hostname
   )
   where hostname = any ($1::text[])`,
)
/** As if a token never expired, or as if a removal did not count. */
export const spoilers = {
  token_generation: ({ database, shops }: StoredOwnership) => {
    const projects = shops.map(({ project }) => project)
    return inProjectsOf(database)(projects, (db) => db(raiseTokens, projects))
  },
  generation: ({ database, hostnames }: StoredOwnership) => database.run(lowerGenerations, [...hostnames]),
}
