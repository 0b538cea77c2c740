// Deletes an account: its person leaves every project, everything with which it can be used ends,
// and name and address are erased. The last mail goes to the address that it had.

import { Refusal } from '../foundation/refusal.ts'
import type { AccountPlatform } from './account-platform.ts'
import { findAccount, type AccountId } from './account-queries.ts'
import { insertEvent, type AccountActor } from './audit-queries.ts'
import { erase, insertFormer, lockForErasure } from './deletion-queries.ts'
import { notSignedIn } from './sessions/guard.io.ts'
import { recover } from './links/recovery-queries.ts'

/** What projects know of a person. */
export type Memberships = {
  /** The projects whose only owner the person is. */
  solelyOwnedBy(account: AccountId): Promise<{ slug: string; name: string }[]>
  /** Refused if a project would be left without an owner. */
  leaveAll(account: AccountId): Promise<void>
  /** Ends the invitations that name the address. */
  forgetAddress(email: string): Promise<void>
}

export async function deleteAccount(
  { database, newId, queueMail }: Pick<AccountPlatform, 'database' | 'newId' | 'queueMail'>,
  memberships: Memberships,
  account: AccountId,
  actor: AccountActor,
): Promise<void> {
  const owned = await memberships.solelyOwnedBy(account)
  if (owned.length > 0) throw new Refusal('sole_owner', soleOwnerText(owned.map(({ name }) => name)))
  await memberships.leaveAll(account)
  const email = await database.transaction({}, async (db) => {
    await lockForErasure(db, account)
    const found = await findAccount(db, account)
    if (!found) throw notSignedIn()
    await recover(db, account, { password: found.password, isAddressProved: false })
    await insertEvent(db, { account, action: 'account_deleted', actor, device: null, addressGroup: null, subject: {} })
    await erase(db, account)
    if (queueMail) {
      const [former, mail] = [newId('fad'), newId('mail')]
      await insertFormer(db, { id: former, email: found.email, mail })
      // The account is gone when the mail is written.
      const subject = { language: found.language }
      await queueMail(db, { id: mail, kind: 'account_deleted', recipient: former, subject })
    }
    return found.email
  })
  await memberships.forgetAddress(email)
}

const listOf = new Intl.ListFormat('en-GB')

const soleOwnerText = (names: readonly string[]) =>
  `The account is the only owner of ${listOf.format(names)}. Make another member an owner, or delete the project, then retry.`
