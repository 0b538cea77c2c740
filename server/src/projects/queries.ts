// Projects and their API keys: SQL inside one project. Every query takes the
// project as its second argument and names it in its `where`.

import type { Scope } from '@petstore/contract/operations'
import { statement, type Db } from '../foundation/postgres.ts'
import type { ProjectId } from './scope.ts'

const insertProjectRow = statement<never, [project: ProjectId, slug: string, name: string]>(
  'insert-project',
  `insert into projects (project_id, slug, name)
   values ($1, $2, $3)`,
)

export const insertProject = (db: Db, project: ProjectId, { slug, name }: { slug: string; name: string }) =>
  db(insertProjectRow, project, slug, name)

const findProjectRow = statement<{ slug: string; name: string }, [project: ProjectId]>(
  'find-project',
  `select slug, name
   from projects
   where project_id = $1`,
)

export const findProject = async (db: Db, project: ProjectId) => (await db(findProjectRow, project))[0]

/** What is kept of a key: everything but the key. */
export type KeyRow = {
  id: string
  label: string
  displayPrefix: string
  lastFour: string
  digest: Buffer
  scopes: Scope[]
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  lastUsedAt: Date | null
}

const keyColumns = `id, label, display_prefix as "displayPrefix", last_four as "lastFour", digest, scopes,
     created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt"`

export type NewKey = Pick<KeyRow, 'id' | 'label' | 'displayPrefix' | 'lastFour' | 'digest' | 'scopes' | 'expiresAt'>

const insertKeyRow = statement<
  KeyRow,
  [
    project: ProjectId,
    id: string,
    label: string,
    displayPrefix: string,
    lastFour: string,
    digest: Buffer,
    scopes: Scope[],
    expiresAt: Date | null,
  ]
>(
  'insert-key',
  `insert into api_keys (project_id, id, label, display_prefix, last_four, digest, scopes, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)
   returning ${keyColumns}`,
)

export const insertKey = async (db: Db, project: ProjectId, key: NewKey): Promise<KeyRow> => {
  const { id, label, displayPrefix, lastFour, digest, scopes, expiresAt } = key
  const [row] = await db(insertKeyRow, project, id, label, displayPrefix, lastFour, digest, scopes, expiresAt)
  if (!row) throw new Error('an insert gave no row')
  return row
}

const listKeyRows = statement<KeyRow, [project: ProjectId]>(
  'list-keys',
  `select ${keyColumns}
   from api_keys
   where project_id = $1
   order by created_at desc, id`,
)

export const listKeys = (db: Db, project: ProjectId) => db(listKeyRows, project)

const expireKeyRow = statement<KeyRow, [project: ProjectId, id: string, overlapSeconds: number]>(
  'expire-key',
  `update api_keys
   set expires_at = least(expires_at, now() + make_interval(secs => $3))
   where project_id = $1 and id = $2 and revoked_at is null and coalesce(expires_at > now(), true)
   returning ${keyColumns}`,
)

/** Lets a key that still lives live on for the overlap, never longer than it would have lived. */
export const expireKey = async (db: Db, project: ProjectId, id: string, overlapSeconds: number) =>
  (await db(expireKeyRow, project, id, overlapSeconds))[0]

const revokeKeyRow = statement<KeyRow, [project: ProjectId, id: string]>(
  'revoke-key',
  `update api_keys
   set revoked_at = coalesce(revoked_at, now())
   where project_id = $1 and id = $2
   returning ${keyColumns}`,
)

export const revokeKey = async (db: Db, project: ProjectId, id: string) => (await db(revokeKeyRow, project, id))[0]

export type TouchAsk = { project: ProjectId; id: string; usedAt: Date }

const touchKeyRows = statement<never, [projects: bigint[], ids: string[], times: Date[]]>(
  'touch-keys',
  `update api_keys
   set last_used_at = asked.used_at
   from unnest($1::bigint[], $2::text[], $3::timestamptz[]) as asked (project, id, used_at)
   where project_id = asked.project and api_keys.id = asked.id
     and coalesce(last_used_at <= asked.used_at - interval '1 minute', true)`,
)

/** At most once a minute a key, however many processes say so. To be run where those projects are allowed. */
export const touchKeys = (run: Db, asks: readonly TouchAsk[]) =>
  run(
    touchKeyRows,
    asks.map(({ project }) => project),
    asks.map(({ id }) => id),
    asks.map(({ usedAt }) => usedAt),
  )
