// The steps that all mailed links share: how many mails an address gets, a request for a link to a
// new password, and the response to a link that no longer works.

import { EMAIL_LENGTH_MAX } from '@petstore-platform/contract/platform/accounts'
import { SIGN_IN_LINK_MINUTES } from '@petstore-platform/contract/platform/sign-in-links'
import { digestOf } from '../foundation/key-format.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { countMail } from '../mail/outbox-queries.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import { keyOf, type AccountId } from './account-queries.ts'
import type { RecordAction } from './audit.io.ts'
import { insertRequest } from './recovery-queries.ts'
import { moveAddress } from './sign-up-queries.ts'

/** Per address that was entered, whether or not it has an account. */
const limits = [
  { name: 'hour', most: 3, windowSeconds: 3600 },
  { name: 'day', most: 10, windowSeconds: 24 * 3600 },
]

/** Normalisation may expand an address beyond any that an account can have. */
const isTooLong = (key: string) => key.length > EMAIL_LENGTH_MAX

/** Counted by a digest: an address that was only entered is not kept. */
export async function mayBeMailed(
  db: Db,
  kind: 'recovery' | 'email_change' | 'sign_up',
  key: string,
): Promise<boolean> {
  if (isTooLong(key)) return false
  const digest = digestOf(key).toString('hex')
  const counted = []
  for (const { name, ...limit } of limits) {
    counted.push(await countMail(db, { recipient: digest, kind: `${kind}_${name}` }, limit))
  }
  return counted.every(Boolean)
}

/** Queues the mail with a link to a new password, for the account that has the address, if there is one. */
export async function queueRecovery(
  db: Db,
  { queueMail, newId }: { queueMail: QueueMail; newId: (kind: string) => string },
  email: string,
): Promise<void> {
  const id = newId('rec')
  await insertRequest(db, id, keyOf(email))
  await queueMail(db, { kind: 'recovery', recipient: id })
}

/** While a link is valid, no other is mailed: strangers who ask for links cannot use up the person's. */
const SIGN_IN_LINK_LIMIT = { most: 1, windowSeconds: SIGN_IN_LINK_MINUTES * 60 }

/** Queues the mail with a link that signs in, for the account that has the address, if there is one. */
export const queueSignInLink = (db: Db, deps: MailDeps, email: string): Promise<void> =>
  queueRequested(db, deps, email, 'sign_in_link', SIGN_IN_LINK_LIMIT)

/** At most once a day: a person who is attacked for a week must still read it. */
const NOTICE_LIMIT = { most: 1, windowSeconds: 24 * 3600 }

/**
 * Queues the notice that attempts to sign in were refused. The statements are the same for every address; the worker
 * that sends the mail finds out whether it has an account.
 */
export const queueSignInsLimited = (db: Db, deps: MailDeps, email: string): Promise<void> =>
  queueRequested(db, deps, email, 'sign_ins_limited', NOTICE_LIMIT)

type MailDeps = { queueMail: QueueMail; newId: (kind: string) => string }

async function queueRequested(
  db: Db,
  { queueMail, newId }: MailDeps,
  email: string,
  kind: 'sign_in_link' | 'sign_ins_limited',
  limit: { most: number; windowSeconds: number },
): Promise<void> {
  const key = keyOf(email)
  if (isTooLong(key)) return
  if (!(await countMail(db, { recipient: digestOf(key).toString('hex'), kind }, limit))) return
  const id = newId('rec')
  await insertRequest(db, id, key)
  await queueMail(db, { kind, recipient: id })
}

/** An account that never proved the address loses it to the person who did; its pages ask for another one. */
export async function takeAddress(db: Db, record: RecordAction, email: string, to: AccountId | null): Promise<void> {
  const former = await moveAddress(db, email, to)
  if (former !== undefined)
    await record(db, { account: former, action: 'email_moved', actor: 'visitor', from: undefined })
}

export const notWorking = () =>
  new Refusal('not_found', 'This link no longer works: it was used, it is too old, or a part of it is missing.')
