// Routes that change the address of an account on `/platform/v1`. The request runs the same
// statements whether or not another account has the new address; the worker that sends the mail
// finds out.

import * as contract from '@petstore-platform/contract/platform/email-change'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../foundation/http/operation.io.ts'
import { digestOf } from '../../foundation/key-format.ts'
import type { Db } from '../../foundation/postgres/postgres.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import type { AccountPlatform } from '../account-platform.ts'
import { findAccount, keyOf, lockAccount } from '../account-queries.ts'
import { refuseUnusableEmail } from '../refuse-unusable-email.ts'
import { confirmChange, endUnconfirmed, findChange, insertChange, setEmail } from './email-change-queries.ts'
import { notSignedIn } from '../sessions/guard.io.ts'
import { mayBeMailed, notWorking, takeAddress } from './links.io.ts'
import { endAccessLinks, takeLink } from './link-queries.ts'
import { restoreAccount } from './restoration.io.ts'
import { isSessionOpen } from '../sessions/session-queries.ts'
import { sessionIdOf } from '../sign-in/sign-in.io.ts'

export function emailChangeRoutes(app: FastifyInstance, platform: AccountPlatform): void {
  const { database, newId, attempts, record, queueMail, open, personal } = platform
  const transaction = <T>(work: (db: Db) => Promise<T>) => database.transaction({}, work)

  mount(app, contract.requestEmailChange, personal, async ({ caller, body }) => {
    const session = sessionIdOf(caller)
    const { account } = caller
    await attempts.count(attempts.allowances.session(account, session))
    if (!queueMail) throw new Refusal('mail_unavailable')
    refuseUnusableEmail(body.email)
    await transaction(async (db) => {
      await lockAccount(db, account)
      if (!(await isSessionOpen(db, account, session))) throw notSignedIn()
      await endUnconfirmed(db, account)
      const id = newId('emc')
      await insertChange(db, { id, account, newEmail: body.email })
      await record(db, { account, action: 'email_change_requested', actor: 'person', from: caller })
      if (await mayBeMailed(db, 'email_change', keyOf(body.email)))
        await queueMail(db, { kind: 'email_change', recipient: id })
    })
    return { json: JSON.stringify({ linkHours: contract.CONFIRM_HOURS }) }
  })

  mount(app, contract.confirmEmailChange, open, async ({ caller, body }) => {
    const { recovery } = attempts.allowances
    const confirm = async (db: Db) => {
      const { account, change } = await takeChange(db, body.secret)
      const known = await findAccount(db, account)
      if (!known) throw notWorking()
      await takeAddress(db, record, change.newEmail, account)
      const isOther = keyOf(known.email) !== keyOf(change.newEmail)
      // Those that were mailed to the old address give no access any more.
      if (isOther) await endAccessLinks(db, account)
      if (!(await setEmail(db, account, change.newEmail))) throw new Refusal('email_taken')
      if (!isOther) {
        await endUnconfirmed(db, account)
        await record(db, { account, action: 'email_verified', actor: 'visitor', from: caller })
        return
      }
      await confirmChange(db, change.id)
      await record(db, { account, action: 'email_changed', actor: 'visitor', from: caller, recipient: change.id })
    }
    await attempts.countFailure(recovery(caller.address), () => transaction(confirm))
    return {}
  })

  mount(app, contract.undoEmailChange, open, async ({ caller, body }) => {
    await restoreAccount(platform, { digest: digestOf(body.secret), purpose: 'undo_email', caller })
    return {}
  })
}

/** The account, which is locked, and the change that a link is about; the link is consumed. */
async function takeChange(db: Db, secret: string) {
  const link = await takeLink(db, digestOf(secret), 'confirm_email')
  if (!link) throw notWorking()
  await lockAccount(db, link.account)
  const change = link.emailChange === null ? undefined : await findChange(db, link.emailChange)
  if (!change) throw notWorking()
  return { account: link.account, change }
}
