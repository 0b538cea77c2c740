// Passkeys, and what browsers were asked about them. Like accounts they belong to
// no project; each statement names the account, or what only its owner has.

import { statement, type Db } from '../foundation/postgres/postgres.io.ts'
import type { AccountId } from './account-queries.ts'

export type PasskeyRow = {
  id: string
  account: AccountId
  credentialId: string
  publicKey: Buffer
  counter: number
  transports: string[]
  label: string
  createdAt: Date
  lastUsedAt: Date | null
}

// The counter of a device has 32 bits, which a number holds exactly.
const columns = `id, account_id as account, credential_id as "credentialId", public_key as "publicKey",
     counter::float8 as counter, transports, label, created_at as "createdAt", last_used_at as "lastUsedAt"`

export type NewPasskey = Omit<PasskeyRow, 'createdAt' | 'lastUsedAt' | 'publicKey'> & { publicKey: Uint8Array }

const insertPasskeyRow = statement<
  PasskeyRow,
  [
    id: string,
    account: AccountId,
    credentialId: string,
    publicKey: Uint8Array,
    counter: number,
    transports: string[],
    label: string,
  ]
>(
  'insert-passkey',
  `insert into passkeys (id, account_id, credential_id, public_key, counter, transports, label)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (credential_id) do nothing
   returning ${columns}`,
)

/** Undefined if somebody has a passkey of this name already. */
export const insertPasskey = async (
  db: Db,
  { id, account, credentialId, publicKey, counter, transports, label }: NewPasskey,
): Promise<PasskeyRow | undefined> =>
  (await db(insertPasskeyRow, id, account, credentialId, publicKey, counter, transports, label))[0]

const listPasskeyRows = statement<PasskeyRow, [account: AccountId]>(
  'list-passkeys',
  `select ${columns}
   from passkeys
   where account_id = $1
   order by created_at desc, id`,
)

/** All of them: an account has few. */
export const listPasskeys = (db: Db, account: AccountId) => db(listPasskeyRows, account)

const findPasskeyRow = statement<PasskeyRow, [credentialId: string]>(
  'find-passkey',
  `select ${columns}
   from passkeys
   where credential_id = $1`,
)

export const findPasskey = async (db: Db, credentialId: string) => (await db(findPasskeyRow, credentialId))[0]

// Devices that count say more each time, the others always say 0. A copy of a device says again what was said.
const usePasskeyRow = statement<{ id: string }, [account: AccountId, id: string, counter: number]>(
  'use-passkey',
  `update passkeys
   set counter = $3, last_used_at = now()
   where account_id = $1 and id = $2 and (counter < $3 or (counter = 0 and $3 = 0))
   returning id`,
)

/** Whether it is still there, and has not said as much or more before. */
export const usePasskey = async (db: Db, account: AccountId, id: string, counter: number) =>
  (await db(usePasskeyRow, account, id, counter)).length > 0

const deletePasskeyRow = statement<{ id: string }, [account: AccountId, id: string]>(
  'delete-passkey',
  `delete from passkeys
   where account_id = $1 and id = $2
   returning id`,
)

/** Whether there was one. What a path says may be anything, also what PostgreSQL takes for no text at all. */
export const deletePasskey = async (db: Db, account: AccountId, id: string) =>
  /^psk_[0-9a-f]{24}$/.test(id) && (await db(deletePasskeyRow, account, id)).length > 0

const insertChallengeRow = statement<
  never,
  [id: string, challenge: string, account: AccountId | null, seconds: number]
>(
  'insert-passkey-challenge',
  `insert into passkey_challenges (id, challenge, account_id, expires_at)
   values ($1, $2, $3, now() + make_interval(secs => $4))`,
)

export type NewChallenge = { id: string; challenge: string; account: AccountId | null; seconds: number }

export const insertChallenge = (db: Db, { id, challenge, account, seconds }: NewChallenge) =>
  db(insertChallengeRow, id, challenge, account, seconds)

const takeOwnChallengeRow = statement<{ isGood: boolean }, [account: AccountId, challenge: string]>(
  'take-own-passkey-challenge',
  `delete from passkey_challenges
   where account_id = $1 and challenge = $2
   returning expires_at > now() as "isGood"`,
)

/** Whether the account was asked this, and may still answer; it is asked no more. */
export const takeOwnChallenge = async (db: Db, account: AccountId, challenge: string): Promise<boolean> =>
  (await db(takeOwnChallengeRow, account, challenge))[0]?.isGood ?? false

const takeOpenChallengeRow = statement<{ challenge: string; isGood: boolean }, [id: string]>(
  'take-open-passkey-challenge',
  `delete from passkey_challenges
   where id = $1 and account_id is null
   returning challenge, expires_at > now() as "isGood"`,
)

/** What whoever signs in was asked, if it may still be answered; it is asked no more. */
export const takeOpenChallenge = async (db: Db, id: string): Promise<string | undefined> => {
  if (!/^chl_[0-9a-f]{24}$/.test(id)) return undefined
  const [found] = await db(takeOpenChallengeRow, id)
  return found?.isGood === true ? found.challenge : undefined
}

const sweepChallengeRows = statement<never, []>(
  'sweep-passkey-challenges',
  `delete from passkey_challenges
   where id in (
     select id
     from passkey_challenges
     where expires_at < now()
     limit 10000
     for update skip locked
   )`,
)

/** Takes away what nobody answered in time, some at a time: anyone can ask to be asked. */
export const sweepChallenges = (db: Db) => db(sweepChallengeRows)
