// Routes for a forgotten password on `/platform/v1`. A request runs the same statements for every
// address; the worker that sends the mail decides whether there is an account.

import type { PlatformOperation } from '@petstore/contract/platform/operation'
import * as contract from '@petstore/contract/platform/recovery'
import type { FastifyInstance } from 'fastify'
import { mount, type Mounting } from '../foundation/http/operation.io.ts'
import { digestOf } from '../foundation/key-format.ts'
import type { Database, Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { countMail } from '../mail/outbox-queries.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import { keyOf, lockAccount } from './account-queries.ts'
import type { Passwords } from './password.io.ts'
import * as recovery from './recovery-queries.ts'
import { countAttempt, type Attempts, type Visitor } from './sign-in.io.ts'

export type RecoveryRoutesDeps = {
  database: Pick<Database, 'run' | 'transaction'>
  passwords: Passwords
  newId: (kind: string) => string
  attempts: Attempts
  /** Undefined if no mail is sent. */
  queueMail: QueueMail | undefined
  open: Mounting<Visitor, PlatformOperation>
}

/** Per address, whether or not it has an account. */
const limits = [
  { name: 'hour', most: 3, windowSeconds: 3600 },
  { name: 'day', most: 10, windowSeconds: 24 * 3600 },
]

export function recoveryRoutes(app: FastifyInstance, deps: RecoveryRoutesDeps): void {
  const { database, passwords, newId, attempts, queueMail, open } = deps
  const transaction = <T>(work: (db: Db) => Promise<T>) => database.transaction({}, work)

  mount(app, contract.requestRecovery, open, async ({ caller, body }) => {
    await countAttempt(attempts.perAddress, caller.address)
    if (!queueMail) throw new Refusal('mail_unavailable')
    const key = keyOf(body.email)
    await transaction(async (db) => {
      if (!(await mayBeMailed(db, key))) return
      const id = newId('rec')
      await recovery.insertRequest(db, id, key)
      await queueMail(db, { kind: 'recovery', recipient: id })
    })
    return { json: JSON.stringify({ linkMinutes: contract.RECOVERY_MINUTES }) }
  })

  mount(app, contract.recoverAccount, open, async ({ caller, body }) => {
    await countAttempt(attempts.perAddress, caller.address)
    const digest = digestOf(body.secret)
    // A password is hashed only for a link that works: that takes a while.
    if (!(await recovery.hasLink(database.run, digest))) throw notWorking()
    const password = await passwords.hash(body.password)
    await transaction(async (db) => {
      const account = await recovery.takeLink(db, digest)
      if (account === undefined) throw notWorking()
      await lockAccount(db, account)
      await recovery.recover(db, account, password)
      await queueMail?.(db, { kind: 'password_reset', recipient: account })
    })
    return {}
  })
}

/** Counted by a digest: an address that was only entered is not kept. */
async function mayBeMailed(db: Db, key: string): Promise<boolean> {
  const digest = digestOf(key).toString('hex')
  const counted = []
  for (const { name, ...limit } of limits) {
    counted.push(await countMail(db, { recipient: digest, kind: `recovery_${name}` }, limit))
  }
  return counted.every(Boolean)
}

const notWorking = () =>
  new Refusal('not_found', 'This link no longer works: it was used, it is too old, or a part of it is missing.')
