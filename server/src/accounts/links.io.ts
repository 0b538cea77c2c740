// The steps that all mailed links share: how many mails an address gets, a request for a link to a
// new password, and the response to a link that no longer works.

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

/** Counted by a digest: an address that was only entered is not kept. */
export async function mayBeMailed(
  db: Db,
  kind: 'recovery' | 'email_change' | 'sign_up',
  key: string,
): Promise<boolean> {
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

/** An account that never proved the address loses it to the person who did; its pages ask for another one. */
export async function takeAddress(db: Db, record: RecordAction, email: string, to: AccountId | null): Promise<void> {
  const former = await moveAddress(db, email, to)
  if (former !== undefined)
    await record(db, { account: former, action: 'email_moved', actor: 'visitor', from: undefined })
}

export const notWorking = () =>
  new Refusal('not_found', 'This link no longer works: it was used, it is too old, or a part of it is missing.')
