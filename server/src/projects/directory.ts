// The few statements that cross projects: which project does this key, or this
// slug, belong to? They give ids and never anybody's data.

import { statement, type Db } from '../foundation/postgres.ts'
import type { KeyRow } from './queries.ts'
import type { ProjectId } from './scope.ts'

/** A key and its project; of the key, what its row in the project says. */
export type FoundKey = Pick<KeyRow, 'id' | 'scopes' | 'expiresAt' | 'revokedAt'> & {
  project: ProjectId
  digest: Buffer
}

// The directory says where each key is; the statement then allows itself just those projects, and reads the keys there.
const findKeyRows = statement<FoundKey, [digests: Buffer[]]>(
  'find-keys-by-digest',
  `with place as materialized (
     select digest, project_id, key_id
     from key_directory
     where digest = any ($1::bytea[])
   ), allowed as materialized (
     select set_config('petstore.projects', coalesce(array_agg(project_id), '{}')::text, true)
     from place
   ), asked as materialized (
     select place.project_id as project, place.digest, place.key_id
     from allowed, place
   )
   select asked.project, asked.digest, key.id, key.scopes,
     key.expires_at as "expiresAt", key.revoked_at as "revokedAt"
   from asked
   cross join lateral (
     select id, scopes, expires_at, revoked_at
     from api_keys
     where project_id = asked.project and id = asked.key_id
     limit 1
   ) as key`,
)

/** Found or not, in the order of the digests. */
export const findKeys = async (run: Db, digests: readonly Buffer[]): Promise<(FoundKey | undefined)[]> => {
  const rows = await run(findKeyRows, [...digests])
  const found = new Map(rows.map((row) => [row.digest.toString('latin1'), row]))
  return digests.map((digest) => found.get(digest.toString('latin1')))
}

const addKeyPlace = statement<never, [digest: Buffer, project: ProjectId, keyId: string]>(
  'add-key-place',
  `insert into key_directory (digest, project_id, key_id)
   values ($1, $2, $3)`,
)

export const addKey = (db: Db, digest: Buffer, project: ProjectId, keyId: string) =>
  db(addKeyPlace, digest, project, keyId)

const findSlugPlace = statement<{ project: ProjectId }, [slug: string]>(
  'find-slug-place',
  `select project_id as project
   from slug_directory
   where slug = $1`,
)

export const findSlug = async (db: Db, slug: string): Promise<ProjectId | undefined> =>
  (await db(findSlugPlace, slug))[0]?.project

const addSlugPlace = statement<{ project: ProjectId }, [slug: string, project: ProjectId]>(
  'add-slug-place',
  `insert into slug_directory (slug, project_id)
   values ($1, $2)
   on conflict (slug) do nothing
   returning project_id as project`,
)

/** Whether the slug was free. Once taken it stays taken, also after its project is gone. */
export const takeSlug = async (db: Db, slug: string, project: ProjectId): Promise<boolean> =>
  (await db(addSlugPlace, slug, project)).length === 1

const nextProjectId = statement<{ project: ProjectId }, []>(
  'next-project-id',
  `select nextval('project_ids') as project`,
)

export const newProjectId = async (db: Db): Promise<ProjectId> => {
  const [row] = await db(nextProjectId)
  if (!row) throw new Error('a sequence gave no value')
  return row.project
}

const notifyKeyChange = statement<never, [channel: string, digest: string]>(
  'notify-key-change',
  `select pg_notify($1, $2)`,
)

export const KEY_CHANNEL = 'petstore_keys'

/** Heard by every process once this transaction has committed; a hint only, which nothing relies on. */
export const announceKeyChange = (db: Db, digest: Buffer) => db(notifyKeyChange, KEY_CHANNEL, digest.toString('hex'))

/** As a beginning: nothing that was noted before the question. */
export const NOW = '18446744073709551615'

const findRevocations = statement<{ digests: string[]; until: string }, [since: string]>(
  'find-revocations',
  `select coalesce(array_agg(encode(digest, 'hex')), '{}') as digests,
     pg_snapshot_xmin(pg_current_snapshot())::text as until
   from revocation_directory
   where xact >= $1::xid8`,
)

/**
 * The digests of secrets that have changed since an earlier question, and from where to ask on. One may be told twice,
 * if it was noted while other transactions were under way; none is left out.
 */
export const revokedSince = async (run: Db, since: string): Promise<{ digests: string[]; until: string }> => {
  const [found] = await run(findRevocations, since)
  if (!found) throw new Error('an aggregate gave no row')
  return found
}

const sweepRevocationRows = statement<never, []>(
  'sweep-revocations',
  `delete from revocation_directory
   where noted_at < now() - interval '1 hour'`,
)

/** Every process has asked many times since. */
export const sweepRevocations = (run: Db) => run(sweepRevocationRows)
