// The few statements that cross projects: they map keys, slugs, members and invitations
// to their project. They return ids and never a project's data.

import type { AccountId } from '../accounts/account-queries.ts'
import { statement, query, queryFirst, queryAny, type Db } from '../foundation/postgres/postgres.io.ts'
import type { KeyRow } from './project-queries.ts'
import type { ProjectId } from './scope.io.ts'

/** A key and its project, with the state of the key's row in the project. */
export type FoundKey = Pick<KeyRow, 'id' | 'scopes' | 'expiresAt' | 'revokedAt'> & {
  project: ProjectId
  isSuspended: boolean
  digest: Buffer
}

// The directory locates each key; the statement then restricts itself to those projects, and reads the keys
// there.
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
     key.expires_at as "expiresAt", key.revoked_at as "revokedAt",
     exists (
       select from slug_directory where asked.project = slug_directory.project_id and suspended_at is not null
     ) as "isSuspended"
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

export const addKey = query<never, [digest: Buffer, project: ProjectId, keyId: string]>(
  'add-key-entry',
  `insert into key_directory (digest, project_id, key_id)
   values ($1, $2, $3)`,
)

/** A note for each key of the project, as if it had changed: processes look it up again. */
export const noteKeys = query<never, [project: ProjectId]>(
  'note-keys-of-project',
  `insert into revocation_directory (digest)
   select digest
   from key_directory
   where project_id = $1`,
)

/** False if it was so before. */
export const setSuspended = queryAny<[slug: string, isSuspended: boolean]>(
  'set-slug-suspended',
  `update slug_directory
   set suspended_at = case when $2 then now() end
   where slug = $1 and (suspended_at is not null) <> $2
   returning slug`,
)

/** False if it was so before. */
export const setHeld = queryAny<[project: ProjectId, isHeld: boolean]>(
  'set-slug-held',
  `update slug_directory
   set held_at = case when $2 then now() end
   where project_id = $1 and (held_at is not null) <> $2
   returning slug`,
)

/** False if it had begun before, or the project is held. */
export const beginErasure = queryAny<[project: ProjectId]>(
  'begin-erasure',
  `update slug_directory
   set erasing_at = now()
   where project_id = $1 and erasing_at is null and held_at is null
   returning slug`,
)

/** `isLongAgo`: a request that was under way when the erasure began has ended, however slow. */
export type Standing = {
  slug: string
  suspendedAt: Date | null
  heldAt: Date | null
  erasingAt: Date | null
  isLongAgo: boolean
}

/** What the operator has decided about a project, even about one that is erased. */
export const findStanding = queryFirst<Standing, [project: ProjectId]>(
  'find-slug-standing',
  `select slug, suspended_at as "suspendedAt", held_at as "heldAt", erasing_at as "erasingAt",
     coalesce(erasing_at < now() - interval '1 day', false) as "isLongAgo"
   from slug_directory
   where project_id = $1`,
)

/** A slug and its project, and whether the operator has closed it. */
export const findPlace = queryFirst<{ project: ProjectId; isSuspended: boolean }, [slug: string]>(
  'find-slug-place',
  `select project_id as project, suspended_at is not null as "isSuspended"
   from slug_directory
   where slug = $1`,
)

export const findSlug = query<{ project: ProjectId }, [slug: string], ProjectId | undefined>(
  'find-slug-entry',
  `select project_id as project
   from slug_directory
   where slug = $1`,
  ([row]) => row?.project,
)

/** Sorted, after a given one; includes those of deleted projects. */
export const listSlugs = query<{ slug: string }, [after: string, count: number], string[]>(
  'list-slugs',
  `select slug
   from slug_directory
   where slug > $1
   order by slug
   limit $2`,
  (rows) => rows.map(({ slug }) => slug),
)

/** True if the slug was free. Once taken it stays taken, even after its project is deleted. */
export const takeSlug = query<{ project: ProjectId }, [slug: string, project: ProjectId], boolean>(
  'take-slug-entry',
  `insert into slug_directory (slug, project_id)
   values ($1, $2)
   on conflict (slug) do nothing
   returning project_id as project`,
  (rows) => rows.length === 1,
)

const nextProjectId = statement<{ project: ProjectId }, []>(
  'next-project-id',
  `select nextval('project_ids') as project`,
)

export const newProjectId = async (db: Db): Promise<ProjectId> => {
  const [row] = await db(nextProjectId)
  if (!row) throw new Error('a sequence gave no value')
  return row.project
}

export const addMember = query<never, [account: AccountId, project: ProjectId]>(
  'add-member-entry',
  `insert into member_directory (account_id, project_id)
   values ($1, $2)
   on conflict (account_id, project_id) do nothing`,
)

export const projectsOf = query<{ project: ProjectId }, [account: AccountId], ProjectId[]>(
  'find-member-entries',
  `select project_id as project
   from member_directory
   where account_id = $1
   order by project_id
   limit 100`,
  (rows) => rows.map(({ project }) => project),
)

export const removeMember = query<never, [account: AccountId, project: ProjectId]>(
  'remove-member-entry',
  `delete from member_directory
   where account_id = $1 and project_id = $2`,
)

const addInvitedEntry = statement<
  never,
  [addressDigest: Buffer, project: ProjectId, invitation: string, expiresAt: Date]
>(
  'add-invited-entry',
  `insert into invited_directory (address_digest, project_id, invitation_id, expires_at)
   values ($1, $2, $3, $4)`,
)

export const addInvited = (
  db: Db,
  addressDigest: Buffer,
  project: ProjectId,
  { id, expiresAt }: { id: string; expiresAt: Date },
) => db(addInvitedEntry, addressDigest, project, id, expiresAt)

/** Whether an invitation to any project is open for the address. */
export const isInvited = queryAny<[addressDigest: Buffer]>(
  'find-invited-entry',
  `select project_id as project
   from invited_directory
   where address_digest = $1 and expires_at > now()
   limit 1`,
)

export const findInvitation = queryFirst<{ project: ProjectId; invitation: string }, [digest: Buffer]>(
  'find-invitation-entry',
  `select project_id as project, invitation_id as invitation
   from invitation_directory
   where digest = $1`,
)

export type InvitationEntry = { project: ProjectId; invitation: string }

/** The invitations for an address, expired ones too. */
export const invitationsFor = query<InvitationEntry, [addressDigest: Buffer]>(
  'find-invited-entries',
  `select project_id as project, invitation_id as invitation
   from invited_directory
   where address_digest = $1`,
)

export const expiredInvitations = query<InvitationEntry, [count: number]>(
  'find-expired-invited-entries',
  `select project_id as project, invitation_id as invitation
   from invited_directory
   where expires_at <= now()
     and project_id not in (select project_id from slug_directory where held_at is not null)
   limit $1`,
)

const removeInvitationEntries = statement<never, [project: ProjectId, invitations: string[]]>(
  'remove-invitation-entries',
  `delete from invitation_directory
   where project_id = $1 and invitation_id = any ($2::text[])`,
)

const removeInvitedEntries = statement<never, [project: ProjectId, invitations: string[]]>(
  'remove-invited-entries',
  `delete from invited_directory
   where project_id = $1 and invitation_id = any ($2::text[])`,
)

/** The links of invitations that are gone, and the addresses that they were for. */
export async function removeInvitations(db: Db, project: ProjectId, invitations: readonly string[]): Promise<void> {
  await db(removeInvitationEntries, project, [...invitations])
  await db(removeInvitedEntries, project, [...invitations])
}
