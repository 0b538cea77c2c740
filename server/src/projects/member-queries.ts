// Queries for members of a project and open invitations, inside one project. Names are
// not here: a person's name belongs to the account.

import type { Role } from '@petstore-platform/contract/platform/operation'
import type { AccountId } from '../accounts/account-queries.ts'
import { statement, query, queryFirst, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from './scope.io.ts'

export type MemberRow = { account: AccountId; role: Role; addedAt: Date }

const memberColumns = `account_id as account, role, added_at as "addedAt"`

/**
 * For the rest of the transaction. A project always has an owner, so there is always a row to lock and
 * concurrent callers wait for each other.
 */
export const lockMembers = query<never, [project: ProjectId]>(
  'lock-members',
  `select account_id
   from members
   where project_id = $1
   order by account_id
   for update`,
)

export const listMembers = query<MemberRow, [project: ProjectId]>(
  'list-members',
  `select ${memberColumns}
   from members
   where project_id = $1
   order by added_at, account_id`,
)

export const setRole = query<MemberRow, [project: ProjectId, account: AccountId, role: Role]>(
  'set-role',
  `update members
   set role = $3
   where project_id = $1 and account_id = $2
   returning ${memberColumns}`,
)

export const deleteMember = query<never, [project: ProjectId, account: AccountId]>(
  'delete-member',
  `delete from members
   where project_id = $1 and account_id = $2`,
)

export type InvitationRow = {
  id: string
  email: string
  /** Whether it is mailed to the address, which alone can accept it. */
  isMailed: boolean
  role: Role
  note: string
  createdBy: AccountId
  createdAt: Date
  expiresAt: Date
}

/** A deleted invitation: its directory entries have to be deleted too. */
export type GoneInvitation = Pick<InvitationRow, 'id' | 'role' | 'email' | 'isMailed'>

const goneColumns = `id, role, email, is_mailed as "isMailed"`

const invitationColumns = `id, email, is_mailed as "isMailed", role, note, created_by as "createdBy", created_at as "createdAt",
     expires_at as "expiresAt"`

export const listInvitations = query<InvitationRow, [project: ProjectId]>(
  'list-invitations',
  `select ${invitationColumns}
   from invitations
   where project_id = $1 and expires_at > now()
   order by created_at desc, id`,
)

export const findInvitation = queryFirst<InvitationRow, [project: ProjectId, id: string]>(
  'find-invitation',
  `select ${invitationColumns}
   from invitations
   where project_id = $1 and id = $2 and expires_at > now()`,
)

/** It cannot be revoked before the transaction ends. */
export const lockInvitation = queryFirst<InvitationRow, [project: ProjectId, id: string]>(
  'lock-invitation',
  `select ${invitationColumns}
   from invitations
   where project_id = $1 and id = $2 and expires_at > now()
   for key share`,
)

const insertInvitationRow = statement<
  InvitationRow,
  [
    project: ProjectId,
    id: string,
    email: string,
    isMailed: boolean,
    role: Role,
    note: string,
    createdBy: AccountId,
    days: number,
  ]
>(
  'insert-invitation',
  `insert into invitations (project_id, id, email, is_mailed, role, note, created_by, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(days => $8))
   returning ${invitationColumns}`,
)

export type NewInvitation = Pick<InvitationRow, 'id' | 'email' | 'isMailed' | 'role' | 'note' | 'createdBy'> & {
  days: number
}

export const insertInvitation = async (db: Db, project: ProjectId, wish: NewInvitation): Promise<InvitationRow> => {
  const { id, email, isMailed, role, note, createdBy, days } = wish
  const [row] = await db(insertInvitationRow, project, id, email, isMailed, role, note, createdBy, days)
  if (!row) throw new Error('an insert gave no row')
  return row
}

/** Of several concurrent acceptances, one succeeds. */
export const takeInvitation = queryFirst<GoneInvitation, [project: ProjectId, id: string]>(
  'take-invitation',
  `delete from invitations
   where project_id = $1 and id = $2 and expires_at > now()
   returning ${goneColumns}`,
)

export const takeInvitationsOf = query<GoneInvitation, [project: ProjectId, account: AccountId]>(
  'take-invitations-of',
  `delete from invitations
   where project_id = $1 and created_by = $2
   returning ${goneColumns}`,
)

/** Whether or not it has expired. */
export const deleteInvitation = query<GoneInvitation, [project: ProjectId, id: string]>(
  'delete-invitation',
  `delete from invitations
   where project_id = $1 and id = $2
   returning ${goneColumns}`,
)

export const takeExpiredInvitations = query<GoneInvitation, [project: ProjectId]>(
  'take-expired-invitations',
  `delete from invitations
   where project_id = $1 and expires_at <= now()
   returning ${goneColumns}`,
)
