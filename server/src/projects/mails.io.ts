// The kinds of mail about a project, and what they read when they are sent.

import type { Role } from '@petstore-platform/contract/platform/operation'
import { findAccount, findAccounts, findCredentials, type AccountId } from '../accounts/account-queries.ts'
import { createLink } from '../accounts/links/links.io.ts'
import { linkUrl } from '../accounts/links/purposes.ts'
import { isMoved } from '../accounts/links/sign-up-queries.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { DAY_SECONDS, notice, notification } from '../mail/kinds.ts'
import type { Compose, MailKinds } from '../mail/mail-kind.ts'
import type { MailRow } from '../mail/outbox-queries.ts'
import { looksLikeAddress } from '../mail/linked-names.ts'
import { addressDigest } from '../mail/suppression-queries.ts'
import { projectMails } from './mails.ts'
import { toMember, unsubscribeUrl, type ProjectMailContext } from './member-mails.io.ts'
import { lockInvitation } from './member-queries.ts'
import { findFormerName, findKey, findProject } from './project-queries.ts'
import type { ProjectId } from './scope.io.ts'

const everyRole: readonly Role[] = ['viewer', 'admin', 'owner']

export const projectMailKinds = {
  invitation: {
    queue: 'bulk',
    validSeconds: 3 * DAY_SECONDS,
    limit: { most: 5, windowSeconds: DAY_SECONDS, by: 'address' },
    topic: 'invitations',
    compose: invitation,
  },
  role_changed: {
    ...notice,
    compose: toMember(everyRole, async ({ account, project, role, projectUrl }) =>
      projectMails.role_changed({ language: account.language, project: project.name, projectUrl, role }),
    ),
  },
  member_removed: { ...notice, compose: memberRemoved },
  member_joined: { ...notification('members'), compose: memberJoined },
  api_key_created: { ...notice, compose: keyCreated },
  project_deleted: { ...notice, compose: projectDeleted },
  project_suspended: { ...notice, compose: takedown(projectMails.project_suspended) },
  project_resumed: { ...notice, compose: takedown(projectMails.project_resumed) },
} satisfies MailKinds<ProjectMailContext>

function memberRemoved({ run, inProject }: ProjectMailContext): Compose {
  return async (row) => {
    const account = await findAccount(run, row.recipient as AccountId)
    const id = row.project as ProjectId
    const project = await inProject(id, (db) => findProject(db, id))
    if (!account || isMoved(account.email) || !project) return undefined
    const facts = { language: account.language, project: project.name }
    return { to: account.email, mail: projectMails.member_removed(facts) }
  }
}

function memberJoined(context: ProjectMailContext): Compose {
  return async (row, rules) => {
    const person = await personOf(context.run, row.subject['account'])
    const joined = everyRole.find((known) => known === row.subject['role'])
    if (!person || !joined) return undefined
    const facts = { person: person.name, email: person.email, role: joined }
    const compose = toMember(['owner'], async ({ account: { language }, project, projectUrl }) =>
      projectMails.member_joined({ language, project: project.name, projectUrl, ...facts }),
    )
    return compose(context)(row, rules)
  }
}

function keyCreated(context: ProjectMailContext): Compose {
  return async (row, rules) => {
    const person = await actorOf(context, row)
    const compose = toMember(['owner'], async ({ db, projectId, account: { language }, project, projectUrl }) => {
      const key = await findKey(db, projectId, row.subject['key'] ?? '')
      const facts = { language, project: project.name, projectUrl, person, at: row.queuedAt }
      return key && projectMails.api_key_created({ ...facts, label: key.label })
    })
    return compose(context)(row, rules)
  }
}

/** To owners, who can reply to the operator. */
function takedown(write: (typeof projectMails)['project_suspended']) {
  return (context: ProjectMailContext): Compose =>
    toMember(['owner'], async ({ account: { language }, project, projectUrl }) => ({
      ...write({ language, project: project.name, projectUrl, isReplyable: context.operatorEmail !== undefined }),
      replyTo: context.operatorEmail,
    }))(context)
}

function projectDeleted(context: ProjectMailContext): Compose {
  const { run, inProject } = context
  return async (row) => {
    const account = await findAccount(run, row.recipient as AccountId)
    const id = row.project as ProjectId
    const project = await inProject(id, (db) => findFormerName(db, id))
    if (!account || isMoved(account.email) || project === undefined) return undefined
    const facts = { language: account.language, project, person: await actorOf(context, row), at: row.queuedAt }
    return { to: account.email, mail: projectMails.project_deleted(facts) }
  }
}

/** The name of the person who did it; undefined if it was the operator. */
const actorOf = async ({ run }: ProjectMailContext, { subject }: MailRow) =>
  (await personOf(run, subject['actor']))?.name

const personOf = async (run: Db, account: string | undefined) =>
  account === undefined ? undefined : (await findAccounts(run, [account as AccountId]))[0]

/** Each attempt has a link of its own: only its digest is stored. */
function invitation(context: ProjectMailContext): Compose {
  const { run, inProject, dashboardOrigin, randomBytes } = context
  return async ({ project: from, recipient }) => {
    const project = from as ProjectId
    const found = await inProject(project, async (db) => {
      const [open, owning] = [await lockInvitation(db, project, recipient), await findProject(db, project)]
      if (!open || !owning) return undefined
      const secret = await createLink(db, randomBytes, { purpose: 'invitation', project, invitation: open.id })
      return { ...open, secret, projectName: owning.name }
    })
    if (!found) return undefined
    const inviting = await personOf(run, found.createdBy)
    // Names are read now, and may have been changed since.
    if ([inviting?.name ?? '', found.projectName].some(looksLikeAddress)) return { because: 'an address in a name' }
    const invited = await findCredentials(run, found.email)
    const declineUrl = await unsubscribeUrl(context, { of: 'invitations', addressDigest: addressDigest(found.email) })
    const mail = projectMails.invitation({
      language: invited?.language ?? inviting?.language ?? 'en',
      person: inviting?.name ?? '',
      project: found.projectName,
      role: found.role,
      url: linkUrl(dashboardOrigin, 'invitation', found.secret),
      declineUrl,
    })
    return { to: found.email, mail, unsubscribe: declineUrl }
  }
}
