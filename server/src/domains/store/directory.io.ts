// The directory of hostnames: the few statements that cross projects. They return ids and
// generations, and never a project's data. A transaction that changes the holder of a hostname
// locks its row until it ends, so concurrent changes are serialised.

import { notify, statement, query, queryAny, type Db } from '../../foundation/postgres/postgres.io.ts'
import type { Instant } from '../../foundation/time.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import type { Holding } from '../lifecycle/ownership-decision.ts'

const openHostnameRow = statement<never, [hostname: string]>(
  'open-hostname',
  `insert into hostname_directory (hostname)
   values ($1)
   on conflict (hostname) do nothing`,
)

const lockHostnameRow = statement<{ generation: bigint }, [hostname: string]>(
  'lock-hostname',
  `select generation
   from hostname_directory
   where hostname = $1
   for update`,
)

/** Locks the hostname: no other transaction takes, moves or frees it until this one ends. Returns its holder. */
export const lockHostname = async (db: Db, hostname: string): Promise<Holding> => {
  await db(openHostnameRow, hostname)
  await db(lockHostnameRow, hostname)
  return findHolding(db, hostname)
}

type HoldingRow = {
  generation: bigint
  project: ProjectId | null
  domain: string | null
  lastProject: ProjectId | null
  lastGeneration: bigint | null
}

const findHoldingRow = statement<HoldingRow, [hostname: string]>(
  'find-holding',
  `select hostname_directory.generation, holder.project_id as project, holder.domain_id as domain,
     last.project_id as "lastProject", last.generation as "lastGeneration"
   from hostname_directory
   left join holder_directory as holder
     on holder.hostname = hostname_directory.hostname and holder.released_at is null
   left join lateral (
     select project_id, generation
     from holder_directory
     where hostname = $1
     order by generation desc
     limit 1
   ) as last on true
   where hostname_directory.hostname = $1`,
)

export const findHolding = async (db: Db, hostname: string): Promise<Holding> => {
  const [row] = await db(findHoldingRow, hostname)
  if (!row) return { generation: 0n, holder: null, last: null }
  const { generation, project, domain, lastProject, lastGeneration } = row
  return {
    generation,
    holder: project === null || domain === null ? null : { project, domain },
    last: lastProject === null || lastGeneration === null ? null : { project: lastProject, generation: lastGeneration },
  }
}

const raiseGenerationRow = statement<{ generation: bigint }, [hostname: string]>(
  'raise-hostname-generation',
  `update hostname_directory
   set generation = generation + 1
   where hostname = $1
   returning generation`,
)

const releaseRow = statement<never, [hostname: string]>(
  'release-hostname',
  `update holder_directory
   set released_at = now()
   where hostname = $1 and released_at is null`,
)

const takeRow = statement<never, [hostname: string, generation: bigint, project: ProjectId, domain: string]>(
  'take-hostname',
  `insert into holder_directory (hostname, generation, project_id, domain_id)
   values ($1, $2, $3, $4)`,
)

/** Frees the hostname. The caller has locked it. */
export const release = async (db: Db, hostname: string): Promise<void> => {
  await db(raiseGenerationRow, hostname)
  await db(releaseRow, hostname)
}

/** Makes this project the only holder. The caller has locked the hostname. Returns the new generation. */
export const take = async (db: Db, hostname: string, project: ProjectId, domain: string): Promise<bigint> => {
  const [raised] = await db(raiseGenerationRow, hostname)
  if (!raised) throw new Error('a hostname that was locked is not there')
  await db(releaseRow, hostname)
  await db(takeRow, hostname, raised.generation, project, domain)
  return raised.generation
}

const findGuardRow = statement<{ project: ProjectId }, [parents: string[]]>(
  'find-guard',
  `select project_id as project
   from holder_directory
   where hostname = any ($1::text[]) and released_at is null
   order by char_length(hostname) desc
   limit 1`,
)

/** The holder of the nearest parent name; a verified name guards its subdomains against other projects. */
export const findGuard = async (db: Db, parents: readonly string[]): Promise<ProjectId | undefined> =>
  (await db(findGuardRow, [...parents]))[0]?.project

/** Projects that hold a hostname. */
export const listHoldingProjects = query<{ project: ProjectId }, [], ProjectId[]>(
  'list-holding-projects',
  `select distinct project_id as project
   from holder_directory
   where released_at is null
   order by project`,
  (rows) => rows.map(({ project }) => project),
)

/**
 * Records that the hostname pointed at a slug which no project had. The project that takes the slug later is not
 * proven by it.
 */
export const recordSighting = query<never, [hostname: string, slug: string]>(
  'record-sighting',
  `insert into sighting_directory (hostname, slug)
   select $1, $2
   where not exists (select from slug_directory where slug = $2)
   on conflict (hostname, slug) do nothing`,
)

/** Whether the hostname pointed at this slug before any project had it. */
export const wasSighted = queryAny<[hostname: string, slug: string]>(
  'find-sighting',
  `select slug
   from sighting_directory
   where hostname = $1 and slug = $2`,
)

const knownSlugRows = statement<{ slug: string }, [slugs: string[]]>(
  'known-slugs',
  `select slug
   from slug_directory
   where slug = any ($1::text[])`,
)

export const knownSlugs = async (db: Db, slugs: readonly string[]): Promise<string[]> =>
  (await db(knownSlugRows, [...slugs])).map(({ slug }) => slug)

export const CHANNEL = 'petstore_domains'

export const payloadOf = (project: ProjectId, domain: string): string => `${project}:${domain}`

/** Wakes the streams that watch the domain. They also poll, so a lost notification only delays them. */
export const notifyDomain = (db: Db, project: ProjectId, domain: string) =>
  notify(db, CHANNEL, payloadOf(project, domain))

const addShareRow = statement<never, [digest: Buffer, project: ProjectId, domain: string, expiresAt: Date]>(
  'add-share',
  `insert into share_directory (digest, project_id, domain_id, expires_at)
   values ($1, $2, $3, $4)`,
)

const endOldestShareRows = statement<never, [project: ProjectId, domain: string, kept: number]>(
  'end-oldest-shares',
  `delete from share_directory
   where digest in (
     select digest
     from share_directory
     where project_id = $1 and domain_id = $2
     order by made_at desc, digest
     offset $3
   )`,
)

/** Adds a link to a domain; beyond `most` the oldest are revoked. The caller has locked the domain. */
export const addShare = async (
  db: Db,
  { digest, project, domain, expiresAt }: { digest: Buffer; project: ProjectId; domain: string; expiresAt: Date },
  most: number,
): Promise<void> => {
  await db(addShareRow, digest, project, domain, expiresAt)
  await db(endOldestShareRows, project, domain, most)
}

type Share = { project: ProjectId; domain: string; expiresAt: Date }

const findShareRow = statement<Share, [digest: Buffer, now: Date]>(
  'find-share',
  `select project_id as project, domain_id as domain, expires_at as "expiresAt"
   from share_directory
   where digest = $1 and expires_at > $2`,
)

/** The domain of a link; undefined if it never existed, was revoked or has expired. */
export const findShare = async (run: Db, digest: Buffer, now: Instant): Promise<Share | undefined> =>
  (await run(findShareRow, digest, new Date(now)))[0]

/** Revokes all links of the domain. Returns their number. */
export const endShares = query<{ digest: Buffer }, [project: ProjectId, domain: string], number>(
  'end-shares',
  `delete from share_directory
   where project_id = $1 and domain_id = $2
   returning digest`,
  (rows) => rows.length,
)
