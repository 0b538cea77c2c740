// Reads the facts of a mail about a project when it is sent, and has its text written.

import type { Role } from '@petstore-platform/contract/platform/operation'
import { findAccount, findAccounts, findCredentials, type AccountId } from '../accounts/account-queries.ts'
import { createLink } from '../accounts/links/links.io.ts'
import { linkUrl } from '../accounts/links/purposes.ts'
import { isMoved } from '../accounts/links/sign-up-queries.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import type { Compose } from '../mail/jobs.io.ts'
import type { MailRow } from '../mail/outbox-queries.ts'
import { looksLikeAddress } from '../mail/linked-names.ts'
import { addressDigest } from '../mail/suppression-queries.ts'
import {
  invitationMail,
  keyCreatedMail,
  memberJoinedMail,
  memberRemovedMail,
  projectDeletedMail,
  roleChangedMail,
} from './mails.ts'
import { memberComposer, unsubscribeUrl, type MemberMailDeps } from './member-mails.io.ts'
import { lockInvitation } from './member-queries.ts'
import { findFormerName, findKey, findProject } from './project-queries.ts'
import type { ProjectId } from './scope.io.ts'

type ProjectMailKind =
  | 'invitation'
  | 'role_changed'
  | 'member_removed'
  | 'member_joined'
  | 'api_key_created'
  | 'project_deleted'

export type ProjectMailDeps = MemberMailDeps & { randomBytes: (count: number) => Uint8Array }

export function projectComposers(deps: ProjectMailDeps): Readonly<Record<ProjectMailKind, Compose>> {
  const { run, inProject } = deps
  const toMember = memberComposer(deps)
  /** The name of the person who did it; undefined if it was the operator. */
  const actorOf = async ({ subject }: MailRow) => (await personOf(run, subject['actor']))?.name

  return {
    invitation: invitationComposer(deps),
    role_changed: toMember(everyRole, async ({ account, project, role, projectUrl }) =>
      roleChangedMail({ language: account.language, project: project.name, projectUrl, role }),
    ),
    async member_removed(row) {
      const account = await findAccount(run, row.recipient as AccountId)
      const id = row.project as ProjectId
      const project = await inProject(id, (db) => findProject(db, id))
      if (!account || isMoved(account.email) || !project) return undefined
      return { to: account.email, mail: memberRemovedMail({ language: account.language, project: project.name }) }
    },
    async member_joined(row) {
      const person = await personOf(run, row.subject['account'])
      const joined = everyRole.find((known) => known === row.subject['role'])
      if (!person || !joined) return undefined
      const facts = { person: person.name, email: person.email, role: joined }
      return toMember(['owner'], async ({ account: { language }, project, projectUrl }) =>
        memberJoinedMail({ language, project: project.name, projectUrl, ...facts }),
      )(row)
    },
    async api_key_created(row) {
      const person = await actorOf(row)
      return toMember(['owner'], async ({ db, projectId, account: { language }, project, projectUrl }) => {
        const key = await findKey(db, projectId, row.subject['key'] ?? '')
        const facts = { language, project: project.name, projectUrl, person, at: row.queuedAt }
        return key && keyCreatedMail({ ...facts, label: key.label })
      })(row)
    },
    async project_deleted(row) {
      const account = await findAccount(run, row.recipient as AccountId)
      const id = row.project as ProjectId
      const project = await inProject(id, (db) => findFormerName(db, id))
      if (!account || isMoved(account.email) || project === undefined) return undefined
      const facts = { language: account.language, project, person: await actorOf(row), at: row.queuedAt }
      return { to: account.email, mail: projectDeletedMail(facts) }
    },
  }
}

const everyRole: readonly Role[] = ['viewer', 'admin', 'owner']

const personOf = async (run: Db, account: string | undefined) =>
  account === undefined ? undefined : (await findAccounts(run, [account as AccountId]))[0]

/** Each attempt has a link of its own: only its digest is stored. */
function invitationComposer(deps: ProjectMailDeps): Compose {
  const { run, inProject, dashboardOrigin, randomBytes } = deps
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
    const declineUrl = await unsubscribeUrl(deps, { of: 'invitations', addressDigest: addressDigest(found.email) })
    const mail = invitationMail({
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
