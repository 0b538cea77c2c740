// Changes memberships: roles, leaving, and invitations. Every change locks all
// members, so that under any concurrency a project keeps an owner, and no member acts in
// a role that was just revoked. Every change records an audit event in the same
// transaction.

import { INVITATIONS_MAX, INVITATION_DAYS, type KeyChoice } from '@petstore-platform/contract/platform/members'
import { roles, type Role } from '@petstore-platform/contract/platform/operation'
import { createLink } from '../accounts/links/links.io.ts'
import { isSecret } from '../accounts/sessions/guard.io.ts'
import { digestOf } from '../foundation/key-format.ts'
import { findAccount, keyOf, type AccountId } from '../accounts/account-queries.ts'
import type { Memberships } from '../accounts/deletion.io.ts'
import type { Database, Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import { looksLikeAddress } from '../mail/linked-names.ts'
import { addressDigest } from '../mail/suppression-queries.ts'
import { settleKeysOf } from './api-keys.io.ts'
import type { Member } from './membership.io.ts'
import * as directory from './directory.io.ts'
import * as queries from './member-queries.ts'
import type { GoneInvitation, InvitationRow, MemberRow } from './member-queries.ts'
import { forgetChoices } from './notification-queries.ts'
import { memberNotifier } from './notify.io.ts'
import type { ProjectContext } from './project-context.ts'
import { findProject, insertMember, recordAudit } from './project-queries.ts'
import type { ProjectId } from './scope.io.ts'

export type MemberContext = Pick<ProjectContext, 'database' | 'inProject' | 'newId' | 'randomBytes' | 'plans'> & {
  /** Undefined if no mail is sent. */
  queueMail: QueueMail<'invitation' | 'role_changed' | 'member_removed' | 'member_joined'> | undefined
}

/** Returns the member after the change. */
export function changeRole(
  { inProject, queueMail }: Pick<MemberContext, 'inProject' | 'queueMail'>,
  caller: Member,
  account: AccountId,
  { role, keys }: { role: Role; keys?: KeyChoice | undefined },
): Promise<MemberRow> {
  const { project } = caller
  return inProject(project, async (db) => {
    const members = await lockedMembers(db, project)
    refuseBelow('owner', roleIn(members, caller))
    const found = memberIn(members, account)
    if (found.role === role) return found
    refuseLastOwner(members, found)
    const settled = isBelow(role, 'admin')
      ? await settleKeysOf(db, project, account, { choice: keys, actor: caller.account })
      : undefined
    await queries.setRole(db, project, account, role)
    // A role that is revoked must not return by an invitation that was created with it.
    const revoked = isBelow(role, found.role) ? await queries.takeInvitationsOf(db, project, account) : []
    await forget(db, project, revoked)
    await recordAudit(db, project, {
      actor: caller.account,
      action: 'member_changed',
      subject: account,
      detail: { from: found.role, to: role, invitationsRevoked: revoked.map(({ id }) => id), ...settled },
    })
    if (account !== caller.account) await queueMail?.(db, { kind: 'role_changed', recipient: account, project })
    return { ...found, role }
  })
}

export function removeMember(
  { inProject, queueMail }: Pick<MemberContext, 'inProject' | 'queueMail'>,
  caller: Member,
  account: AccountId,
  keys: KeyChoice | undefined,
): Promise<void> {
  const { project } = caller
  return inProject(project, async (db) => {
    const members = await lockedMembers(db, project)
    const own = roleIn(members, caller)
    if (account !== caller.account) refuseBelow('owner', own)
    const found = memberIn(members, account)
    refuseLastOwner(members, found)
    if (keys === 'revoke') refuseBelow('admin', own)
    await removeLocked(db, project, found, { choice: keys, actor: caller.account })
    if (account !== caller.account) await queueMail?.(db, { kind: 'member_removed', recipient: account, project })
  })
}

async function removeLocked(
  db: Db,
  project: ProjectId,
  { account, role }: MemberRow,
  by: { choice: KeyChoice | undefined; actor: AccountId },
): Promise<void> {
  const settled = await settleKeysOf(db, project, account, by)
  await queries.deleteMember(db, project, account)
  await directory.removeMember(db, account, project)
  const revoked = await queries.takeInvitationsOf(db, project, account)
  await forget(db, project, revoked)
  await forgetChoices(db, project, account)
  await recordAudit(db, project, {
    actor: by.actor,
    action: 'member_removed',
    subject: account,
    detail: { role, invitationsRevoked: revoked.map(({ id }) => id), ...settled },
  })
}

/** Makes an account an owner, for the operator: no plan limits it, and the other owners are notified. */
export function addOwner(
  { inProject, queueMail }: Pick<MemberContext, 'inProject' | 'queueMail'>,
  project: ProjectId,
  account: AccountId,
): Promise<Membership> {
  return inProject(project, async (db) => {
    const members = await lockedMembers(db, project)
    const found = await findProject(db, project)
    if (!found) throw new Refusal('not_found', 'There is no such project.')
    const known = members.find((member) => member.account === account)
    if (known?.role !== 'owner') {
      if (known) await queries.setRole(db, project, account, 'owner')
      else {
        await insertMember(db, project, account, 'owner')
        await directory.addMember(db, account, project)
      }
      await recordAudit(db, project, { actor: 'operator', action: 'owner_added', subject: account })
      await queueMail?.(db, { kind: 'role_changed', recipient: account, project })
      if (queueMail) await memberNotifier(queueMail)(db, project, joinedMail(account, 'owner'))
    }
    return { slug: found.slug, role: 'owner' }
  })
}

const joinedMail = (account: AccountId, role: Role) =>
  ({ kind: 'member_joined', roles: ['owner'], subject: { account, role }, except: account }) as const

/** What is asked and done about all projects of a person whose account is to be deleted. */
export const membershipsOf = ({ database, inProject }: Pick<MemberContext, 'database' | 'inProject'>): Memberships => ({
  async solelyOwnedBy(account) {
    const owned = []
    for (const project of await directory.projectsOf(database.run, account)) {
      const found = await inProject(project, async (db) => {
        const owners = (await queries.listMembers(db, project)).filter(({ role }) => role === 'owner')
        return owners.length === 1 && owners[0]?.account === account ? findProject(db, project) : undefined
      })
      if (found) owned.push({ slug: found.slug, name: found.name })
    }
    return owned
  },
  async leaveAll(account) {
    for (const project of await directory.projectsOf(database.run, account)) {
      await inProject(project, async (db) => {
        const members = await lockedMembers(db, project)
        const own = members.find((member) => member.account === account)
        if (!own) return
        // A deleted project needs no owner.
        if (await findProject(db, project)) refuseLastOwner(members, own)
        // A program of the shop goes on when an account is deleted; the owners see whose key it uses.
        await removeLocked(db, project, own, { choice: 'keep', actor: account })
      })
    }
  },
  forgetAddress: async (email) =>
    eraseInvitations({ inProject }, await directory.invitationsFor(database.run, addressDigest(email))),
})

/** Deletes invitations of any projects: those that have expired, or whose address is erased. */
export async function eraseInvitations(
  { inProject }: Pick<MemberContext, 'inProject'>,
  places: readonly directory.InvitationEntry[],
): Promise<void> {
  for (const { project, invitation } of places) {
    await inProject(project, async (db) => {
      await queries.deleteInvitation(db, project, invitation)
      await directory.removeInvitations(db, project, [invitation])
    })
  }
}

/** The secret only where no mail is sent: the inviting member sees it once, and passes it on. */
export type FreshInvitation = { secret: string | undefined; row: InvitationRow }

export function invite(
  { inProject, newId, randomBytes, queueMail }: MemberContext,
  caller: Member,
  { inviting, ...wish }: { email: string; role: Role; note: string; inviting: string },
): Promise<FreshInvitation> {
  const { project } = caller
  const invitation = { ...wish, id: newId('inv'), isMailed: queueMail !== undefined, createdBy: caller.account }
  return inProject(project, async (db) => {
    const own = roleIn(await lockedMembers(db, project), caller)
    refuseBelow('admin', own)
    if (isBelow(own, wish.role)) throw new Refusal('insufficient_role', 'Only owners invite owners.')
    // A link that is passed on proves no address, and a person who finds it must not own the store.
    if (!queueMail && wish.role === 'owner') throw new Refusal('mail_unavailable')
    const { name = '' } = (await findProject(db, project)) ?? {}
    if (queueMail) refuseLinked({ person: inviting, store: name })
    await forget(db, project, await queries.takeExpiredInvitations(db, project))
    if ((await queries.listInvitations(db, project)).length >= INVITATIONS_MAX) {
      throw new Refusal('limit_reached', `A project has at most ${INVITATIONS_MAX} open invitations.`)
    }
    const row = await queries.insertInvitation(db, project, { ...invitation, days: INVITATION_DAYS })
    await directory.addInvited(db, addressDigest(row.email), project, row)
    const link = { purpose: 'invitation', project, invitation: row.id } as const
    const secret = queueMail ? undefined : await createLink(db, randomBytes, link)
    await queueMail?.(db, { kind: 'invitation', recipient: row.id, project })
    await recordAudit(db, project, {
      actor: caller.account,
      action: 'invitation_created',
      subject: row.id,
      detail: { role: row.role, note: row.note },
    })
    return { secret, row }
  })
}

/** Its mail would show a link of the inviting person's own to an address that did not ask for it. */
function refuseLinked(names: { person: string; store: string }): void {
  const refused = (whose: string, where: string) =>
    new Refusal(
      'address_in_name',
      `${whose} looks like an internet or email address, so the invitation was not sent. Change it in the settings of ${where}: no @, no "www.", and a space after each full stop. Then retry.`,
    )
  if (looksLikeAddress(names.person)) throw refused('Your name', 'your account')
  if (looksLikeAddress(names.store)) throw refused('The name of the store', 'the store')
}

export function revokeInvitation(
  { inProject }: Pick<MemberContext, 'inProject'>,
  { project, account }: Member,
  id: string,
): Promise<void> {
  return inProject(project, async (db) => {
    // A path can contain anything, even text that PostgreSQL rejects.
    const gone = /^inv_[0-9a-f]{24}$/.test(id) ? await queries.takeInvitation(db, project, id) : undefined
    if (!gone) throw new Refusal('not_found', 'No invitation with this identifier.')
    await forget(db, project, [gone])
    await recordAudit(db, project, {
      actor: account,
      action: 'invitation_revoked',
      subject: id,
      detail: { role: gone.role },
    })
  })
}

/** What the holder of the link may see before accepting it; the inviting person by identifier. */
export type OpenInvitation = Pick<InvitationRow, 'email' | 'isMailed' | 'role' | 'createdBy' | 'expiresAt'> & {
  projectName: string
}

export async function readInvitation(
  { database, inProject }: Pick<MemberContext, 'database' | 'inProject'>,
  secret: string,
): Promise<OpenInvitation> {
  const { project, invitation } = await invitationEntryOf(database, secret)
  const [found, open] = await inProject(project, async (db) => [
    await findProject(db, project),
    await queries.findInvitation(db, project, invitation),
  ])
  if (!found || !open) throw noInvitation()
  const { email, isMailed, role, createdBy, expiresAt } = open
  return { projectName: found.name, email, isMailed, role, createdBy, expiresAt }
}

/** The invitation that can be accepted with the secret; undefined if there is none. */
export const findOpenInvitation = (
  context: Pick<MemberContext, 'database' | 'inProject'>,
  secret: string,
): Promise<OpenInvitation | undefined> =>
  readInvitation(context, secret).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined
    throw error
  })

/** Names and slugs of the projects of an account. */
export async function projectNamesOf(
  { database, inProject }: Pick<MemberContext, 'database' | 'inProject'>,
  account: AccountId,
): Promise<string[]> {
  const names = []
  for (const project of await directory.projectsOf(database.run, account)) {
    const found = await inProject(project, (db) => findProject(db, project))
    if (found) names.push(found.name, found.slug)
  }
  return names
}

export type Membership = { slug: string; role: Role }

export async function acceptInvitation(
  { database, inProject, plans, queueMail }: Pick<MemberContext, 'database' | 'inProject' | 'plans' | 'queueMail'>,
  account: AccountId,
  secret: string,
): Promise<Membership> {
  const { project, invitation } = await invitationEntryOf(database, secret)
  const accepting = await findAccount(database.run, account)
  return inProject(project, async (db) => {
    const members = await lockedMembers(db, project)
    const [found, gone] = [await findProject(db, project), await queries.takeInvitation(db, project, invitation)]
    if (!found || !gone) throw noInvitation()
    if (gone.isMailed && !(accepting?.isVerified && keyOf(accepting.email) === keyOf(gone.email)))
      throw new Refusal('other_address')
    await forget(db, project, [gone])
    const known = members.find((member) => member.account === account)
    const role = known && isBelow(gone.role, known.role) ? known.role : gone.role
    if (known) await queries.setRole(db, project, account, role)
    else {
      const over = plans.overLimit(found.plan, 'members', members.length)
      if (over) throw over
      await insertMember(db, project, account, role)
      await directory.addMember(db, account, project)
    }
    await recordAudit(db, project, {
      actor: account,
      action: 'invitation_accepted',
      subject: invitation,
      detail: { role, ...(known && { from: known.role }) },
    })
    if (queueMail && !known) await memberNotifier(queueMail)(db, project, joinedMail(account, role))
    return { slug: found.slug, role }
  })
}

async function invitationEntryOf({ run }: Database, secret: string) {
  const place = isSecret(secret) && (await directory.findInvitation(run, digestOf(secret)))
  if (!place) throw noInvitation()
  return place
}

/** All members, locked until the transaction ends. */
async function lockedMembers(db: Db, project: ProjectId): Promise<readonly MemberRow[]> {
  await queries.lockMembers(db, project)
  // Read after the lock: the rows may have changed, and others may have joined.
  return queries.listMembers(db, project)
}

const forget = async (db: Db, project: ProjectId, gone: readonly GoneInvitation[]) => {
  if (gone.length > 0)
    await directory.removeInvitations(
      db,
      project,
      gone.map(({ id }) => id),
    )
}

const noInvitation = () => new Refusal('not_found', 'No invitation that can be accepted.')

function memberIn(members: readonly MemberRow[], account: AccountId): MemberRow {
  const found = members.find((member) => member.account === account)
  if (!found) throw new Refusal('not_found', 'No member with this identifier.')
  return found
}

/** The caller's current role; a former member finds no project. */
function roleIn(members: readonly MemberRow[], { account }: Member): Role {
  const own = members.find((member) => member.account === account)
  if (!own) throw new Refusal('not_found', 'No project with this slug.')
  return own.role
}

const isBelow = (role: Role, other: Role) => roles.indexOf(role) < roles.indexOf(other)

function refuseBelow(least: Role, own: Role): void {
  if (!isBelow(own, least)) return
  throw new Refusal('insufficient_role', `This needs the role '${least}' in this project; yours is '${own}'.`)
}

function refuseLastOwner(members: readonly MemberRow[], { role }: MemberRow): void {
  const owners = members.filter((member) => member.role === 'owner')
  if (role === 'owner' && owners.length === 1) throw new Refusal('last_owner')
}
