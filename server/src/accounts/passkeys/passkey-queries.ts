// Queries for passkeys and their open challenges. Like accounts they belong to no
// project; each statement names the account, or a value that only its owner has.

import { statement, query, queryFirst, queryAny, type Db } from '../../foundation/postgres/postgres.io.ts'
import type { AccountId } from '../account-queries.ts'

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

// The counter of a device has 32 bits, which a JavaScript number represents exactly.
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

/** Undefined if a passkey with this credential id exists already. */
export const insertPasskey = async (
  db: Db,
  { id, account, credentialId, publicKey, counter, transports, label }: NewPasskey,
): Promise<PasskeyRow | undefined> =>
  (await db(insertPasskeyRow, id, account, credentialId, publicKey, counter, transports, label))[0]

/** Unbounded: an account has few. */
export const listPasskeys = query<PasskeyRow, [account: AccountId]>(
  'list-passkeys',
  `select ${columns}
   from passkeys
   where account_id = $1
   order by created_at desc, id`,
)

export const findPasskey = queryFirst<PasskeyRow, [credentialId: string]>(
  'find-passkey',
  `select ${columns}
   from passkeys
   where credential_id = $1`,
)

// Devices with a counter report a higher value each time, the others always 0. A cloned device repeats a
// value.
/** True if the passkey still exists and the counter is higher than before (or not supported). */
export const usePasskey = queryAny<[account: AccountId, id: string, counter: number]>(
  'use-passkey',
  `update passkeys
   set counter = $3, last_used_at = now()
   where account_id = $1 and id = $2 and (counter < $3 or (counter = 0 and $3 = 0))
   returning id`,
)

const deletePasskeyRow = statement<{ id: string }, [account: AccountId, id: string]>(
  'delete-passkey',
  `delete from passkeys
   where account_id = $1 and id = $2
   returning id`,
)

/** True if there was one. A path can contain anything, even text that PostgreSQL rejects. */
export const deletePasskey = async (db: Db, account: AccountId, id: string) =>
  /^psk_[0-9a-f]{24}$/.test(id) && (await db(deletePasskeyRow, account, id)).length > 0

const insertChallengeRow = statement<
  never,
  [id: string, challenge: string, account: AccountId | null, seconds: number, addressGroup: string]
>(
  'insert-passkey-challenge',
  `insert into passkey_challenges (id, challenge, account_id, expires_at, address_group)
   values ($1, $2, $3, now() + make_interval(secs => $4), $5)`,
)

const limitChallengeRows = statement<never, [addressGroup: string, most: number]>(
  'limit-passkey-challenges',
  `delete from passkey_challenges
   where address_group = $1 and id not in (
     select id
     from passkey_challenges
     where address_group = $1
     order by expires_at desc, id
     limit $2
   )`,
)

export type NewChallenge = {
  id: string
  challenge: string
  account: AccountId | null
  seconds: number
  addressGroup: string
}

/** The oldest challenge of the address group makes room for a new one. */
export async function insertChallenge(db: Db, made: NewChallenge, most: number): Promise<void> {
  const { id, challenge, account, seconds, addressGroup } = made
  await db(insertChallengeRow, id, challenge, account, seconds, addressGroup)
  await db(limitChallengeRows, addressGroup, most)
}

/** True if the challenge was issued to the account and has not expired; it is consumed. */
export const takeOwnChallenge = query<{ isGood: boolean }, [account: AccountId, challenge: string], boolean>(
  'take-own-passkey-challenge',
  `delete from passkey_challenges
   where account_id = $1 and challenge = $2
   returning expires_at > now() as "isGood"`,
  ([row]) => row?.isGood ?? false,
)

const takeOpenChallengeRow = statement<{ challenge: string; isGood: boolean }, [id: string]>(
  'take-open-passkey-challenge',
  `delete from passkey_challenges
   where id = $1 and account_id is null
   returning challenge, expires_at > now() as "isGood"`,
)

/** The challenge of a sign-in attempt, unless it has expired; it is consumed. */
export const takeOpenChallenge = async (db: Db, id: string): Promise<string | undefined> => {
  if (!/^chl_[0-9a-f]{24}$/.test(id)) return undefined
  const [found] = await db(takeOpenChallengeRow, id)
  return found?.isGood === true ? found.challenge : undefined
}
