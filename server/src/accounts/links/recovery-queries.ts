// Queries for the codes that recover an account without mail, and for what ends with a recovery.

import { statement, query, queryAny, type Db } from '../../foundation/postgres/postgres.io.ts'
import { notifyRevocation } from '../../foundation/postgres/revocations.io.ts'
import { endProvedSuppressions } from '../../mail/suppression-queries.ts'
import type { AccountId } from '../account-queries.ts'
import { endUnconfirmed } from './email-change-queries.ts'
import { endAccessLinks } from './link-queries.ts'
import { clearFailures, emailDigest } from '../sign-in/sign-in-failure-queries.ts'

const insertCodeRows = statement<never, [account: AccountId, digests: Buffer[]]>(
  'insert-recovery-codes',
  `insert into recovery_codes (account_id, digest)
   select $1, digest
   from unnest($2::bytea[]) as given (digest)`,
)

const endCodeRows = statement<never, [account: AccountId]>(
  'end-recovery-codes',
  `delete from recovery_codes
   where account_id = $1`,
)

/** Replaces the codes of the account. The account must be locked. */
export async function replaceCodes(db: Db, account: AccountId, digests: readonly Buffer[]): Promise<void> {
  await db(endCodeRows, account)
  await db(insertCodeRows, account, [...digests])
}

/** How many codes are left, and when they were created. */
export const countCodes = query<
  { left: number; createdAt: Date | null },
  [account: AccountId],
  { left: number; createdAt: Date | null }
>(
  'count-recovery-codes',
  `select count(*)::integer as left, min(created_at) as "createdAt"
   from recovery_codes
   where account_id = $1`,
  ([row]) => row ?? { left: 0, createdAt: null },
)

/** The account of the address, if the code is one of its own. */
export const findByCode = query<{ account: AccountId }, [emailKey: string, digest: Buffer], AccountId | undefined>(
  'has-recovery-code',
  `select accounts.id as account
   from accounts
     join recovery_codes on account_id = accounts.id
   where email_key = $1 and digest = $2`,
  ([row]) => row?.account,
)

/** True if it was still unused; it is consumed. */
export const takeCode = queryAny<[account: AccountId, digest: Buffer]>(
  'take-recovery-code',
  `delete from recovery_codes
   where account_id = $1 and digest = $2
   returning account_id as account`,
)

const setRecoveredRow = statement<{ email: string }, [account: AccountId, password: string, isAddressProved: boolean]>(
  'set-recovered-password',
  `update accounts
   set password = $2, verified_at = case when $3 then coalesce(verified_at, now()) else verified_at end
   where id = $1
   returning email`,
)

const endTokenRows = statement<never, [account: AccountId]>(
  'end-access-tokens',
  `delete from access_tokens
   where account_id = $1`,
)
const endPasskeyRows = statement<never, [account: AccountId]>(
  'end-passkeys',
  `delete from passkeys
   where account_id = $1`,
)
const endSessionRows = statement<never, [account: AccountId]>(
  'end-sessions',
  `delete from sessions
   where account_id = $1`,
)
const endDeviceRows = statement<never, [account: AccountId]>(
  'end-known-devices',
  `delete from known_devices
   where account_id = $1`,
)

/** Ends what was created while the old password was known: a person who knew it may have done so. */
export async function endTokensAndLinks(db: Db, account: AccountId): Promise<void> {
  await db(endTokenRows, account)
  await notifyRevocation(db)
  await endAccessLinks(db, account)
  await endUnconfirmed(db, account)
}

/**
 * Sets the password, and ends everything else with which the account can be used. What only restores it stays: a thief
 * may be the one who recovers it.
 */
export async function recover(
  db: Db,
  account: AccountId,
  { password, isAddressProved }: { password: string; isAddressProved: boolean },
): Promise<void> {
  const [recovered] = await db(setRecoveredRow, account, password, isAddressProved)
  if (recovered && isAddressProved) await endProvedSuppressions(db, recovered.email)
  if (recovered) await clearFailures(db, emailDigest(recovered.email))
  for (const rows of [endSessionRows, endPasskeyRows, endDeviceRows, endCodeRows]) await db(rows, account)
  await endTokensAndLinks(db, account)
}
