// The steps that all mailed links share: how many mails an address gets, a request for a link, its creation, and the
// response to a link that no longer works.

import { EMAIL_LENGTH_MAX } from '@petstore-platform/contract/platform/accounts'
import type { Context } from '../../foundation/context.ts'
import { digestOf } from '../../foundation/key-format.ts'
import type { Db } from '../../foundation/postgres/postgres.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { countMail } from '../../mail/outbox-queries.ts'
import type { QueueMail } from '../../mail/queue.io.ts'
import { keyOf, type AccountId } from '../account-queries.ts'
import type { RecordAction } from '../audit.io.ts'
import { newSecret } from '../sessions/guard.io.ts'
import { insertLink, type AccountLink, type NewLink } from './link-queries.ts'
import { accountLinks } from './purposes.ts'
import { insertRequest, openRequest, type RequestedLink } from './request-queries.ts'
import { moveAddress, insertSignUpRequest } from './sign-up-queries.ts'

/** Per address that was entered, whether or not it has an account. */
const limits = [
  { name: 'hour', most: 3, windowSeconds: 3600 },
  { name: 'day', most: 10, windowSeconds: 24 * 3600 },
]

/** Normalisation may expand an address beyond any that an account can have. */
const isTooLong = (key: string) => key.length > EMAIL_LENGTH_MAX

/** Counted by a digest: an address that was only entered is not kept. */
export async function mayBeMailed(db: Db, kind: 'email_change' | 'sign_up', key: string): Promise<boolean> {
  if (isTooLong(key)) return false
  const digest = digestOf(key).toString('hex')
  const counted = []
  for (const { name, ...limit } of limits) {
    counted.push(await countMail(db, { recipient: digest, kind: `${kind}_${name}` }, limit))
  }
  return counted.every(Boolean)
}

/** What is mailed to the account that has an entered address. */
export type EnteredMailKind = 'recovery' | 'sign_in_link' | 'sign_ins_limited'

/** Of the person who entered an address. */
type NewRequest = { id: string; email: string }

const mailOf = { recovery: 'recovery', sign_in: 'sign_in_link' } as const

/**
 * Queues the mail with a link, for the account that has the address, if there is one. While a link that was mailed is
 * valid, no other is mailed, and nothing is counted: strangers who ask for links cannot use up the person's.
 */
export async function requestLink(
  db: Db,
  queueMail: QueueMail<EnteredMailKind>,
  { id, email, link }: NewRequest & { link: RequestedLink },
  minutes: number = accountLinks[link].minutes,
): Promise<void> {
  const emailKey = keyOf(email)
  if (isTooLong(emailKey)) return
  if (await openRequest(db, { id, emailKey, link, minutes })) await queueMail(db, { kind: mailOf[link], recipient: id })
}

/** Queues the mail with a link to a new password, whatever was requested before: every other link has just ended. */
export const queueRecovery = (db: Db, queueMail: QueueMail<EnteredMailKind>, request: NewRequest): Promise<void> =>
  requestLink(db, queueMail, { ...request, link: 'recovery' }, 0)

/** At most once a day: a person who is attacked for a week must still read it. */
const NOTICE_LIMIT = { most: 1, windowSeconds: 24 * 3600 }

/**
 * Queues the notice that attempts to sign in were refused. The statements are the same for every address; the worker
 * that sends the mail finds out whether it has an account.
 */
export async function queueSignInsLimited(
  db: Db,
  queueMail: QueueMail<EnteredMailKind>,
  { id, email }: NewRequest,
): Promise<void> {
  const key = keyOf(email)
  if (isTooLong(key)) return
  const recipient = digestOf(key).toString('hex')
  if (!(await countMail(db, { recipient, kind: 'sign_ins_limited' }, NOTICE_LIMIT))) return
  await insertRequest(db, id, key)
  await queueMail(db, { kind: 'sign_ins_limited', recipient: id })
}

type RandomBytes = (count: number) => Uint8Array

/**
 * Creates a link, and returns its secret, of which only the digest is stored; undefined if the account no longer exists, or
 * has another address now.
 */
export async function createLink(db: Db, randomBytes: RandomBytes, link: Exclude<NewLink, AccountLink>): Promise<string>
export async function createLink(db: Db, randomBytes: RandomBytes, link: NewLink): Promise<string | undefined>
export async function createLink(db: Db, randomBytes: RandomBytes, link: NewLink): Promise<string | undefined> {
  const secret = newSecret(randomBytes)
  return (await insertLink(db, digestOf(secret), link)) ? secret : undefined
}

/** An account that never proved the address loses it to the person who did; its pages ask for another one. */
export async function takeAddress(db: Db, record: RecordAction, email: string, to: AccountId | null): Promise<void> {
  const former = await moveAddress(db, email, to)
  if (former !== undefined)
    await record(db, { account: former, action: 'email_moved', actor: 'visitor', from: undefined })
}

export const notWorking = () =>
  new Refusal('not_found', 'This link no longer works: it was used, it is too old, or a part of it is missing.')

export const INVITED_HOURS = 7 * 24

/** Returns the secret of the link. Needs a transaction. */
export async function inviteAccount(
  db: Db,
  context: Pick<Context, 'newId' | 'randomBytes'>,
  email: string,
): Promise<string> {
  const { newId, randomBytes } = context
  const id = newId('sup')
  await insertSignUpRequest(db, { id, email, isInvited: true, hours: INVITED_HOURS })
  return createLink(db, randomBytes, { purpose: 'sign_up', request: id, mail: null })
}
