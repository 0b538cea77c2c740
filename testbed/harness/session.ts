// A session that begins without a sign-in, and a link to sign up without mail, for tests and
// experiments about other things.

import { randomBytes } from 'node:crypto'
import type { AccountId } from '../../server/src/accounts/account-queries.ts'
import { COOKIE, newSecret } from '../../server/src/accounts/sessions/guard.io.ts'
import { accountLimits } from '../../server/src/accounts/account-limits.ts'
import { insertSession } from '../../server/src/accounts/sessions/session-queries.ts'
import { inviteAccount } from '../../server/src/accounts/links/links.io.ts'
import { newId } from '../../server/src/foundation/ids.io.ts'
import { digestOf } from '../../server/src/foundation/key-format.ts'
import type { Database, Db } from '../../server/src/foundation/postgres/postgres.io.ts'

const DAY_SECONDS = 24 * 60 * 60

/** The id of the session and its cookie; `password` is the stored hash. */
export async function openSession(
  run: Db,
  account: AccountId,
  password: string,
): Promise<{ id: string; cookie: string }> {
  const secret = newSecret(randomBytes)
  const session = {
    id: newId('ses'),
    account,
    digest: digestOf(secret),
    password,
    device: null,
    seconds: DAY_SECONDS,
    idleSeconds: DAY_SECONDS,
    isProved: true,
    passkey: null,
  }
  const row = await insertSession(run, session, accountLimits.sessions)
  if (!row) throw new Error('no session was begun')
  return { id: row.id, cookie: `${COOKIE}=${secret}` }
}

/** The secret of a link with which this address signs up, as an operator creates it. */
export const inviteTo = (database: Pick<Database, 'transaction'>, email: string): Promise<string> =>
  database.transaction({}, (db) => inviteAccount(db, { newId, randomBytes }, email))

/** The secret of an invitation, from the response of an installation without mail. */
export const invitationSecret = (answer: unknown): string =>
  String((answer as { link: unknown }).link).split('#')[1] ?? ''
