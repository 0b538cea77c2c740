// The address that turns off mails of a topic, for a member of a project or for an address that
// is invited. It is sent in the open, so it names what it does, is authenticated by a code, and can
// do nothing else.

import { notificationTopics, type NotificationTopic } from '@petstore-platform/contract/platform/notifications'
import type { AccountId } from '../accounts/account-queries.ts'
import type { ProjectId } from './scope.io.ts'

export type Unsubscription =
  | { of: 'member'; project: ProjectId; account: AccountId; topic: NotificationTopic }
  | { of: 'invitations'; addressDigest: Buffer }

/** The part that is authenticated. */
export const unsubscriptionText = (what: Unsubscription): string =>
  what.of === 'member'
    ? `${what.project}.${what.account}.${what.topic}`
    : `invitations.${what.addressDigest.toString('hex')}`

export type UnsubscribeToken = { what: Unsubscription; text: string; code: string }

const memberForm = /^(\d{1,19})\.(acc_[0-9a-f]{24})\.([a-z]{1,30})$/
const invitationsForm = /^invitations\.([0-9a-f]{64})$/

/** Undefined if it is no such token; whether it is ours, its code decides. */
export function readUnsubscribeToken(token: string): UnsubscribeToken | undefined {
  const end = token.lastIndexOf('.')
  const [text, code] = [token.slice(0, Math.max(end, 0)), token.slice(end + 1)]
  const what = readUnsubscription(text)
  return what && { what, text, code }
}

function readUnsubscription(text: string): Unsubscription | undefined {
  const [, digest] = invitationsForm.exec(text) ?? []
  if (digest !== undefined) return { of: 'invitations', addressDigest: Buffer.from(digest, 'hex') }
  const [, project = '', account = '', name] = memberForm.exec(text) ?? []
  const topic = notificationTopics.find((known) => known === name)
  if (topic === undefined) return undefined
  return { of: 'member', project: BigInt(project) as ProjectId, account: account as AccountId, topic }
}
