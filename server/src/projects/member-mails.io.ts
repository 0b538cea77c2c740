// Reads what every mail to a member of a project needs when it is sent: whether the person is still
// a member and wants it, the address, the language, and the link that turns it off.

import type { Role } from '@petstore-platform/contract/platform/operation'
import { findAccount, type AccountId, type AccountRow } from '../accounts/account-queries.ts'
import { isMoved } from '../accounts/links/sign-up-queries.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import type { MailRules } from '../mail/kinds.ts'
import type { Mail } from '../mail/mail.ts'
import type { Compose, NotSent } from '../mail/mail-kind.ts'
import type { MailRow } from '../mail/outbox-queries.ts'
import { projectTexts } from './mail-texts.ts'
import { choicesOf } from './notification-queries.ts'
import { findProject, findRole, type ProjectRow } from './project-queries.ts'
import type { InProject, ProjectId } from './scope.io.ts'
import { unsubscriptionText, type Unsubscription } from './unsubscribe.ts'

/** What mails about projects are composed with. */
export type ProjectMailContext = {
  run: Db
  inProject: InProject
  dashboardOrigin: string
  randomBytes: (count: number) => Uint8Array
  /** Who runs the installation. */
  operatorEmail: string | undefined
  /** Authenticates an unsubscription. */
  codeOf: (text: string) => Promise<string>
}

export type MemberMailFacts = {
  db: Db
  row: MailRow
  projectId: ProjectId
  project: ProjectRow
  account: AccountRow
  role: Role
  /** The dashboard's pages of the project. */
  projectUrl: string
}

/** With the address for replies, if there is one. */
export type MemberMail = Mail & { replyTo?: string | undefined }

/** The mail, or why there is none; undefined if its subject no longer exists. */
export type WriteMemberMail = (facts: MemberMailFacts) => Promise<MemberMail | NotSent | undefined>

export const unsubscribeUrl = async (
  { dashboardOrigin, codeOf }: Pick<ProjectMailContext, 'dashboardOrigin' | 'codeOf'>,
  what: Unsubscription,
): Promise<string> => {
  const text = unsubscriptionText(what)
  return `${dashboardOrigin}/unsubscribe/${text}.${await codeOf(text)}`
}

/** `roles`: who gets such mails; a person who has lost the role in the meantime does not. */
export const toMember =
  (roles: readonly Role[], write: WriteMemberMail) =>
  (context: ProjectMailContext): Compose =>
  async (row, rules) => {
    const { run, inProject, dashboardOrigin } = context
    const projectId = row.project as ProjectId
    const topic = topicOf(rules)
    // Before the transaction: people belong to no project.
    const account = await findAccount(run, row.recipient as AccountId)
    if (!account || isMoved(account.email)) return undefined
    const offUrl =
      topic && (await unsubscribeUrl(context, { of: 'member', project: projectId, account: account.id, topic }))
    return inProject(projectId, async (db) => {
      const [project, role] = [await findProject(db, projectId), await findRole(db, projectId, account.id)]
      if (!project || !role || !roles.includes(role)) return undefined
      const isOwed = topic === undefined || (topic === 'alerts' && role === 'owner')
      const choice = isOwed ? 'each' : (await choicesOf(db, projectId, account.id))[topic]
      if (choice === 'off') return { because: 'turned off' }
      if (choice === 'daily' && row.kind !== 'digest') return { because: 'in the digest', digest: 'daily' }
      const projectUrl = `${dashboardOrigin}/projects/${project.slug}`
      const mail = await write({ db, row, projectId, project, account, role, projectUrl })
      if (!mail || 'because' in mail) return mail
      const unsubscribe = isOwed ? undefined : offUrl
      const turnOff =
        unsubscribe === undefined ? undefined : { text: projectTexts[mail.language].turnOff, url: unsubscribe }
      return { to: account.email, mail: { ...mail, turnOff }, replyTo: mail.replyTo, unsubscribe }
    })
  }

const topicOf = ({ topic }: MailRules) => (topic === 'invitations' ? undefined : topic)
