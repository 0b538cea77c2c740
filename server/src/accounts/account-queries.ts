// Queries for accounts and their tokens. These belong to no project, so no query here names one;
// each names the account instead.

import type { TokenScope } from '@petstore-platform/contract/platform/operation'
import type { Language } from '@petstore-platform/contract/platform/site'
import { statement, query, queryFirst, queryAny, type Db } from '../foundation/postgres/postgres.io.ts'
import { notifyRevocation } from '../foundation/postgres/revocations.io.ts'
import { addressKey } from '../foundation/smtp/address.ts'
import { endProvedSuppressions } from '../mail/suppression-queries.ts'

export type AccountId = string & { readonly of: 'account' }

/** False for the operator and for the program, which do things too. */
export const isAccountId = (actor: string): actor is AccountId => /^acc_[0-9a-f]{24}$/.test(actor)

export type AccountRow = {
  id: AccountId
  email: string
  isVerified: boolean
  name: string
  language: Language
  /** Null until a device of the person has named one. */
  timeZone: string | null
  /** False if mail to the address came back. */
  isReachable: boolean
  createdAt: Date
}

const accountColumns = `id, email, verified_at is not null as "isVerified", name, language, time_zone as "timeZone",
     not exists (
       select
       from mail_suppressions
       where digest = sha256(convert_to(email_key, 'UTF8')) and scope = 'all'
     ) as "isReachable", created_at as "createdAt"`

const insertAccountRow = statement<
  AccountRow,
  [id: string, email: string, emailKey: string, name: string, password: string, isVerified: boolean]
>(
  'insert-account',
  `insert into accounts (id, email, email_key, name, password, verified_at)
   values ($1, $2, $3, $4, $5, case when $6::boolean then now() end)
   on conflict (email_key) do nothing
   returning ${accountColumns}`,
)

export type NewAccount = { id: string; email: string; name: string; password: string; isVerified?: boolean }

/** Undefined if the address is taken. A verified one gets mail again, if mail to it came back before. */
export async function insertAccount(
  db: Db,
  { id, email, name, password, isVerified = false }: NewAccount,
): Promise<AccountRow | undefined> {
  if (isVerified) await endProvedSuppressions(db, email)
  return (await db(insertAccountRow, id, email, addressKey(email), name, password, isVerified))[0]
}

export { addressKey as keyOf }

const findCredentialsRow = statement<AccountRow & { password: string }, [emailKey: string]>(
  'find-credentials',
  `select ${accountColumns}, password
   from accounts
   where email_key = $1`,
)

export const findCredentials = async (db: Db, email: string) => (await db(findCredentialsRow, addressKey(email)))[0]

const findSignInRow = statement<
  AccountRow & { password: string; isKnownDevice: boolean },
  [emailKey: string, device: Buffer | null]
>(
  'find-sign-in',
  `select ${accountColumns}, password,
     exists (
       select
       from known_devices
       where account_id = accounts.id and known_devices.digest = $2
     ) as "isKnownDevice"
   from accounts
   where email_key = $1`,
)

/** The account that an address belongs to, and whether the person has signed in with this device before. */
export const findSignIn = async (db: Db, email: string, device: Buffer | null) =>
  (await db(findSignInRow, addressKey(email), device))[0]

export const findAccount = queryFirst<AccountRow & { password: string }, [account: AccountId]>(
  'find-account',
  `select ${accountColumns}, password
   from accounts
   where id = $1`,
)

const findAccountRows = statement<AccountRow, [accounts: AccountId[]]>(
  'find-accounts',
  `select ${accountColumns}
   from accounts
   where id = any ($1::text[])`,
)

export const findAccounts = (db: Db, accounts: readonly AccountId[]) => db(findAccountRows, [...accounts])

/** Locks the account for the rest of the transaction, so that a count of what it owns stays correct. */
export const lockAccount = query<never, [account: AccountId]>(
  'lock-account',
  `select id
   from accounts
   where id = $1
   for no key update`,
)

const changeAccountRow = statement<
  AccountRow,
  [account: AccountId, name: string | null, language: Language | null, timeZone: string | null]
>(
  'change-account',
  `update accounts
   set name = coalesce($2, name), language = coalesce($3, language), time_zone = coalesce($4, time_zone)
   where id = $1
   returning ${accountColumns}`,
)

/** Changes what is given. */
export const changeAccount = async (
  db: Db,
  account: AccountId,
  { name, language, timeZone }: Partial<Pick<AccountRow, 'name' | 'language' | 'timeZone'>>,
) => (await db(changeAccountRow, account, name ?? null, language ?? null, timeZone ?? null))[0]

const setPasswordRow = statement<{ id: AccountId }, [account: AccountId, next: string, known: string]>(
  'set-password',
  `update accounts
   set password = $2
   where id = $1 and password = $3
   returning id`,
)

/** True if `known` was still the stored hash when it was replaced. */
export const setPassword = async (db: Db, account: AccountId, { known, next }: { known: string; next: string }) =>
  (await db(setPasswordRow, account, next, known)).length > 0

export type TokenRow = {
  id: string
  account: AccountId
  label: string
  display: string
  digest: Buffer
  scopes: TokenScope[]
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
}

const tokenColumns = `id, account_id as account, label, display, digest, scopes, created_at as "createdAt",
     expires_at as "expiresAt", last_used_at as "lastUsedAt"`

const insertTokenRow = statement<
  TokenRow,
  [
    id: string,
    account: AccountId,
    label: string,
    display: string,
    digest: Buffer,
    scopes: readonly TokenScope[],
    days: number,
    most: number,
  ]
>(
  'insert-token',
  `insert into access_tokens (id, account_id, label, display, digest, scopes, expires_at)
   select $1, $2, $3, $4, $5, $6, now() + make_interval(days => $7)
   where (
     select count(*)
     from access_tokens
     where account_id = $2 and coalesce(expires_at > now(), true)
   ) < $8
   returning ${tokenColumns}`,
)

export type NewToken = {
  id: string
  account: AccountId
  label: string
  display: string
  digest: Buffer
  scopes: readonly TokenScope[]
  days: number
}

/** Undefined if the account has reached its limit. The caller must have locked the account. */
export const insertToken = async (
  db: Db,
  { id, account, label, display, digest, scopes, days }: NewToken,
  most: number,
): Promise<TokenRow | undefined> =>
  (await db(insertTokenRow, id, account, label, display, digest, scopes, days, most))[0]

export const findTokens = query<TokenRow, [digests: readonly Buffer[]]>(
  'find-tokens',
  `select ${tokenColumns}
   from access_tokens
   where digest = any ($1::bytea[])`,
)

export const touchToken = query<never, [id: string]>(
  'touch-token',
  `update access_tokens
   set last_used_at = now()
   where id = $1`,
)

export const listTokens = query<TokenRow, [account: AccountId]>(
  'list-tokens',
  `select ${tokenColumns}
   from access_tokens
   where account_id = $1 and coalesce(expires_at > now(), true)
   order by created_at desc, id
   limit 100`,
)

/** A path can contain anything, even text that PostgreSQL rejects. */
export const isAccountPartId = (text: string) => /^[a-z]{3}_[0-9a-f]{24}$/.test(text)

const deleteTokenRow = statement<{ id: string }, [account: AccountId, id: string]>(
  'delete-token',
  `delete from access_tokens
   where account_id = $1 and id = $2
   returning id`,
)

export async function deleteToken(db: Db, account: AccountId, id: string): Promise<boolean> {
  if (!isAccountPartId(id) || (await db(deleteTokenRow, account, id)).length === 0) return false
  await notifyRevocation(db)
  return true
}

const nameRows = statement<{ id: AccountId; name: string }, [accounts: AccountId[]]>(
  'names-of-accounts',
  `select id, name
   from accounts
   where id = any ($1::text[])`,
)

/** Display names by account. */
export const namesOf = async (run: Db, accounts: readonly AccountId[]): Promise<ReadonlyMap<AccountId, string>> =>
  new Map((await run(nameRows, [...new Set(accounts)])).map(({ id, name }) => [id, name]))

/** False if the account has created as many projects as it ever may. */
export const countProject = queryAny<[account: AccountId, most: number]>(
  'count-project-of-account',
  `update accounts
   set projects_created = projects_created + 1
   where id = $1 and projects_created < $2
   returning id`,
)
