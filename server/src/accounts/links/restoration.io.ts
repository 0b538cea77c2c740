// Gives an account back to the person who reads a notice, or who undoes a change of its address: everything with which it
// can be used ends, it has the address again to which the link was mailed, and a link to a new password is mailed there.

import { UNDO_DAYS } from '@petstore-platform/contract/platform/email-change'
import type { Db } from '../../foundation/postgres/postgres.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import type { AccountPlatform } from '../account-platform.ts'
import { findAccount, lockAccount } from '../account-queries.ts'
import { listChanges, setEmail, undoChanges } from './email-change-queries.ts'
import type { Visitor } from '../sessions/guard.io.ts'
import { accountOfLink, endNoticeLinks, takeLink } from './link-queries.ts'
import { notWorking, queueRecovery } from './links.io.ts'
import { recover } from './recovery-queries.ts'
import { restorationOf } from './restoration.ts'

const actionOf = { secure: 'account_secured', undo_email: 'email_change_undone' } as const

export async function restoreAccount(
  { database, passwords, newId, attempts, record, queueMail }: AccountPlatform,
  { digest, purpose, caller }: { digest: Buffer; purpose: keyof typeof actionOf; caller: Visitor },
): Promise<void> {
  const account = await attempts.countFailure(attempts.allowances.recovery(caller.address), async () => {
    const found = await accountOfLink(database.run, digest, purpose)
    if (found === undefined) throw notWorking()
    return found
  })
  const password = passwords.unmatchable()
  await database.transaction({}, async (db: Db) => {
    await lockAccount(db, account)
    const link = await takeLink(db, digest, purpose)
    const present = await findAccount(db, account)
    const changes = await listChanges(db, account, UNDO_DAYS)
    const restored = link && present && restorationOf(present.email, changes, link.mailedTo)
    if (!restored) throw notWorking()
    const { email, undone, earlier } = restored
    if (undone.length > 0 && !(await setEmail(db, account, email))) throw new Refusal('email_taken')
    await undoChanges(db, undone)
    await recover(db, account, { password, isAddressProved: true })
    await endNoticeLinks(db, account, earlier)
    await record(db, { account, action: actionOf[purpose], actor: 'visitor', from: caller })
    if (queueMail) await queueRecovery(db, queueMail, { id: newId('rec'), email })
  })
}
