// Routes that change the address of an account on `/platform/v1`. The request runs the same
// statements whether or not another account has the new address; the worker that sends the mail
// finds out.

import * as contract from '@petstore-platform/contract/platform/email-change'
import type { PlatformOperation } from '@petstore-platform/contract/platform/operation'
import type { FastifyInstance } from 'fastify'
import { mount, type Mounting } from '../foundation/http/operation.io.ts'
import { digestOf } from '../foundation/key-format.ts'
import type { Database, Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import { findAccount, keyOf, lockAccount } from './account-queries.ts'
import type { Attempts } from './attempts.io.ts'
import type { RecordAction } from './audit.io.ts'
import { refuseUnusable } from './email-key.ts'
import { confirmChange, endRequests, findChange, insertChange, setEmail } from './email-change-queries.ts'
import { notSignedIn, type Person, type Visitor } from './guard.io.ts'
import { mayBeMailed, notWorking, queueRecovery, takeAddress } from './links.io.ts'
import type { Passwords } from './password.io.ts'
import { hasLink, recover, takeLink } from './recovery-queries.ts'
import { isSessionOpen } from './session-queries.ts'
import { sessionIdOf } from './sign-in.io.ts'

export type EmailChangeRoutesDeps = {
  database: Pick<Database, 'run' | 'transaction'>
  passwords: Passwords
  newId: (kind: string) => string
  attempts: Attempts
  record: RecordAction
  /** Undefined if no mail is sent. */
  queueMail: QueueMail | undefined
  open: Mounting<Visitor, PlatformOperation>
  personal: Mounting<Person, PlatformOperation>
}

export function emailChangeRoutes(app: FastifyInstance, deps: EmailChangeRoutesDeps): void {
  const { database, passwords, newId, attempts, record, queueMail, open, personal } = deps
  const transaction = <T>(work: (db: Db) => Promise<T>) => database.transaction({}, work)

  mount(app, contract.requestEmailChange, personal, async ({ caller, body }) => {
    const session = sessionIdOf(caller)
    const { account } = caller
    await attempts.count(attempts.allowances.session(account, session))
    if (!queueMail) throw new Refusal('mail_unavailable')
    refuseUnusable(body.email)
    await transaction(async (db) => {
      await lockAccount(db, account)
      if (!(await isSessionOpen(db, account, session))) throw notSignedIn()
      await endRequests(db, account)
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
      const { account, change } = await takeChange(db, body.secret, 'confirm_email')
      const known = await findAccount(db, account)
      if (!known) throw notWorking()
      await takeAddress(db, record, change.newEmail, account)
      if (!(await setEmail(db, account, change.newEmail))) throw new Refusal('email_taken')
      if (keyOf(known.email) === keyOf(change.newEmail)) {
        await endRequests(db, account)
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
    await attempts.countFailure(attempts.allowances.recovery(caller.address), async () => {
      if (!(await hasLink(database.run, digestOf(body.secret), 'undo_email'))) throw notWorking()
    })
    const password = passwords.unmatchable()
    await transaction(async (db) => {
      const { account, change } = await takeChange(db, body.secret, 'undo_email')
      if (!(await setEmail(db, account, change.oldEmail))) throw new Refusal('email_taken')
      await recover(db, account, { password, isAddressProved: true })
      await record(db, { account, action: 'email_change_undone', actor: 'visitor', from: caller })
      if (queueMail) await queueRecovery(db, { queueMail, newId }, change.oldEmail)
    })
    return {}
  })
}

/** The account, which is locked, and the change that a link is about; the link is consumed. */
async function takeChange(db: Db, secret: string, purpose: 'confirm_email' | 'undo_email') {
  const link = await takeLink(db, digestOf(secret), purpose)
  if (!link) throw notWorking()
  await lockAccount(db, link.account)
  const change = link.emailChange === null ? undefined : await findChange(db, link.emailChange)
  if (!change) throw notWorking()
  return { account: link.account, change }
}
