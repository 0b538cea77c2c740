// A session that begins without a sign-in, for tests and experiments about other things.

import { randomBytes } from 'node:crypto'
import type { AccountId } from '../../server/src/accounts/account-queries.ts'
import { COOKIE, newSecret } from '../../server/src/accounts/guard.io.ts'
import { insertSession } from '../../server/src/accounts/session-queries.ts'
import { newId } from '../../server/src/foundation/ids.io.ts'
import { digestOf } from '../../server/src/foundation/key-format.ts'
import type { Db } from '../../server/src/foundation/postgres/postgres.io.ts'

const DAY_SECONDS = 24 * 60 * 60

/** The id of the session and its cookie; `password` is the stored hash. */
export async function openSession(
  run: Db,
  account: AccountId,
  password: string,
): Promise<{ id: string; cookie: string }> {
  const secret = newSecret(randomBytes)
  const row = await insertSession(run, {
    id: newId('ses'),
    account,
    digest: digestOf(secret),
    password,
    device: null,
    seconds: DAY_SECONDS,
    idleSeconds: DAY_SECONDS,
    isProved: true,
    passkey: null,
  })
  if (!row) throw new Error('no session was begun')
  return { id: row.id, cookie: `${COOKIE}=${secret}` }
}
