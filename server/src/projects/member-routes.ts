// Routes for members and invitations on `/platform/v1`. A person's name and address are
// read from the accounts, by the identifiers that the project stores.

import * as contract from '@petstore-platform/contract/platform/members'
import type { FastifyInstance } from 'fastify'
import { notSignedIn } from '../accounts/sessions/guard.io.ts'
import { findAccount, findAccounts, type AccountId } from '../accounts/account-queries.ts'
import { linkUrl } from '../accounts/links/purposes.ts'
import { refuseUnusableEmail } from '../accounts/refuse-unusable-email.ts'
import { exactLimit, moreThanQuota } from '../foundation/load/rate-limit.io.ts'
import { mount } from '../foundation/http/operation.io.ts'
import { DAY, SECOND } from '../foundation/time.ts'
import * as queries from './member-queries.ts'
import type { InvitationRow, MemberRow } from './member-queries.ts'
import {
  acceptInvitation,
  changeRole,
  invite,
  readInvitation,
  removeMember,
  revokeInvitation,
  type MemberContext,
} from './members.io.ts'
import type { Platform } from './platform.ts'

const DAY_SECONDS = DAY / SECOND

export function memberRoutes(app: FastifyInstance, platform: Platform, queueMail: MemberContext['queueMail']): void {
  const { database, inProject, dashboardOrigin, open, personal, within, now, plans } = platform
  const context: MemberContext = { ...platform, queueMail }
  const { invitationsPerDay, newAccountInvitationsPerDay, newAccountDays } = plans.other
  const invitationLimit = (points: number) =>
    exactLimit({ run: database.run, now }, 'invitation', { name: 'account', points, windowSeconds: DAY_SECONDS })
  const limitOfOld = invitationLimit(invitationsPerDay)
  const limitOfNew = invitationLimit(Math.min(invitationsPerDay, newAccountInvitationsPerDay))

  const shown = async (members: readonly MemberRow[]) => {
    const found = await findAccounts(
      database.run,
      members.map(({ account }) => account),
    )
    const people = new Map(found.map((person) => [person.id, person]))
    return members.map(({ account, role, addedAt }) => {
      const { name = '', email = '' } = people.get(account) ?? {}
      return { id: account, name, email, role, addedAt }
    })
  }

  mount(app, contract.listMembers, within, async ({ caller: { project } }) => {
    const members = await inProject(project, (db) => queries.listMembers(db, project))
    return { json: JSON.stringify(await shown(members)) }
  })

  mount(app, contract.changeMember, within, async ({ caller, path, body }) => {
    const changed = await changeRole(context, caller, accountOf(path), body)
    return { json: JSON.stringify((await shown([changed]))[0]) }
  })

  mount(app, contract.removeMember, within, async ({ caller, path, query }) => {
    await removeMember(context, caller, accountOf(path), query.keys)
    return {}
  })

  mount(app, contract.listInvitations, within, async ({ caller: { project } }) => {
    const rows = await inProject(project, (db) => queries.listInvitations(db, project))
    return { json: JSON.stringify(rows.map(shownInvitation)) }
  })

  mount(app, contract.createInvitation, within, async ({ caller, body: { email, role, note = '' } }) => {
    refuseUnusableEmail(email)
    const inviting = await findAccount(database.run, caller.account)
    if (!inviting) throw notSignedIn()
    const isNew = now() - inviting.createdAt.getTime() < newAccountDays * DAY
    const invitations = isNew ? limitOfNew : limitOfOld
    const usage = await invitations.use(caller.account)
    if (usage.isOver) throw moreThanQuota('invitations', usage)
    const wish = { email, role, note, inviting: inviting.name }
    const { secret, row } = await invite(context, caller, wish).catch(async (error: unknown) => {
      await invitations.refund(caller.account)
      throw error
    })
    const link = secret === undefined ? null : linkUrl(dashboardOrigin, 'invitation', secret)
    return { json: JSON.stringify({ ...shownInvitation(row), link }) }
  })

  mount(app, contract.revokeInvitation, within, async ({ caller, path }) => {
    await revokeInvitation(context, caller, path['invitationId'] ?? '')
    return {}
  })

  mount(app, contract.getInvitation, open, async ({ body: { secret } }) => {
    const { createdBy, ...invitation } = await readInvitation(context, secret)
    const [person] = await findAccounts(database.run, [createdBy])
    return { json: JSON.stringify({ ...invitation, invitedBy: person?.name ?? '' }) }
  })

  mount(app, contract.acceptInvitation, personal, async ({ caller: { account }, body }) => ({
    json: JSON.stringify(await acceptInvitation(context, account, body.secret)),
  }))
}

/** Parses the path; whether the person is a member is checked by the query. */
const accountOf = (path: Record<string, string>) => (path['accountId'] ?? '') as AccountId

const shownInvitation = ({ id, email, isMailed, role, note, createdBy, createdAt, expiresAt }: InvitationRow) => ({
  id,
  email,
  isMailed,
  role,
  note,
  createdBy,
  createdAt,
  expiresAt,
})
