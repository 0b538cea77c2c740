// Accounts at the authorities, the used rate limit budget of each, and the pace of each
// client's attempts: SQL. A transaction that counts locks the account's row, so two workers
// never both take the last order of a window.

import { statement, query, type Db } from '../foundation/postgres/postgres.io.ts'
import type { Instant } from '../foundation/time.ts'
import { firstSlot, longWindow, scopesOf, shortWindow, slotOf, type Used, type BudgetRequest } from './budget.ts'

export type AuthorityAccount = {
  authority: string
  sealId: string
  sealedKey: Buffer
  url: string | null
  pausedUntil: Instant | null
  outages: number
}
type AccountRow = Omit<AuthorityAccount, 'pausedUntil'> & { pausedUntil: Date | null }

const accountOf = (row: AccountRow): AuthorityAccount => ({
  ...row,
  pausedUntil: row.pausedUntil === null ? null : row.pausedUntil.getTime(),
})

export const listAccounts = query<AccountRow, [authorities: readonly string[]], AuthorityAccount[]>(
  'list-authority-accounts',
  `select authority, seal_id as "sealId", sealed_key as "sealedKey", url, paused_until as "pausedUntil", outages
   from authority_accounts
   where authority = any ($1::text[])`,
  (rows) => rows.map(accountOf),
)

/** Locks the account: no other transaction counts until this one ends. */
export const lockAccount = query<{ authority: string }, [authority: string]>(
  'lock-authority-account',
  `select authority
   from authority_accounts
   where authority = $1
   for update`,
)

const insertAccountRow = statement<never, [authority: string, sealId: string, sealedKey: Buffer]>(
  'insert-authority-account',
  `insert into authority_accounts (authority, seal_id, sealed_key)
   values ($1, $2, $3)
   on conflict (authority) do nothing`,
)

export const insertAccount = (db: Db, authority: string, seal: { sealId: string; sealedKey: Buffer }) =>
  db(insertAccountRow, authority, seal.sealId, seal.sealedKey)

export const saveAccountUrl = query<never, [authority: string, url: string | null]>(
  'save-authority-account-url',
  `update authority_accounts
   set url = $2
   where authority = $1`,
)

const pauseRow = statement<never, [authority: string, until: Date | null, outages: number]>(
  'pause-authority',
  `update authority_accounts
   set paused_until = $2, outages = $3
   where authority = $1`,
)

export const pauseAuthority = (db: Db, authority: string, until: Instant | null, outages: number) =>
  db(pauseRow, authority, until === null ? null : new Date(until), outages)

const readUseRows = statement<
  { scope: string; count: number },
  [authority: string, short: readonly string[], shortSince: Date, long: readonly string[], longSince: Date]
>(
  'read-authority-uses',
  `select scope, sum(count)::integer as count
   from authority_uses
   where authority = $1
     and ((scope = any ($2::text[]) and slot >= $3) or (scope = any ($4::text[]) and slot >= $5))
   group by scope`,
)

/** The uses that count against this request now. */
export async function readUses(db: Db, authority: string, request: BudgetRequest, now: Instant): Promise<Used> {
  const { hostname, client, registered } = request
  const names = {
    all: 'all',
    fresh: 'fresh',
    client: `client ${client}`,
    registered: `registered ${registered}`,
    name: `name ${hostname}`,
  }
  const rows = await db(
    readUseRows,
    authority,
    [names.all, names.fresh, names.client],
    new Date(firstSlot(shortWindow, now)),
    [names.registered, names.name],
    new Date(firstSlot(longWindow, now)),
  )
  const countOf = (scope: string) => rows.find((row) => row.scope === scope)?.count ?? 0
  return {
    all: countOf(names.all),
    fresh: countOf(names.fresh),
    client: countOf(names.client),
    registered: countOf(names.registered),
    name: countOf(names.name),
  }
}

const takeUseRows = statement<never, [authority: string, scopes: readonly string[], slots: readonly Date[]]>(
  'take-authority-uses',
  `insert into authority_uses (authority, scope, slot, count)
   select $1, scope, slot, 1
   from unnest($2::text[], $3::timestamptz[]) as taken (scope, slot)
   on conflict (authority, scope, slot) do update
   set count = authority_uses.count + 1`,
)

const giveBackRows = statement<never, [authority: string, scopes: readonly string[], slots: readonly Date[]]>(
  'give-back-authority-uses',
  `update authority_uses
   set count = greatest(count - 1, 0)
   from unnest($2::text[], $3::timestamptz[]) as taken (scope, slot)
   where authority_uses.authority = $1 and authority_uses.scope = taken.scope and authority_uses.slot = taken.slot`,
)

const scopesAndSlots = (request: BudgetRequest, at: Instant): [scopes: string[], slots: Date[]] => {
  const scopes = scopesOf(request)
  return [scopes.map(({ scope }) => scope), scopes.map(({ window }) => new Date(slotOf(window, at)))]
}

/** Counts one order in every scope that it belongs to. */
export const takeUses = (db: Db, authority: string, request: BudgetRequest, now: Instant) =>
  db(takeUseRows, authority, ...scopesAndSlots(request, now))

/** Undoes the count of an order that was not placed. */
export const giveBackUses = (db: Db, authority: string, request: BudgetRequest, takenAt: Instant) =>
  db(giveBackRows, authority, ...scopesAndSlots(request, takenAt))

const lockClientRow = statement<{ freeAt: Date }, [client: string, now: Date]>(
  'lock-certificate-client',
  `insert into certificate_clients (client, free_at)
   values ($1, $2)
   on conflict (client) do update
   set free_at = greatest(certificate_clients.free_at, $2)
   returning free_at as "freeAt"`,
)

/**
 * Until when attempts of this client have been scheduled. Locked: no other transaction schedules one until this one
 * ends.
 */
export const lockClient = async (db: Db, client: string, now: Instant): Promise<Instant> =>
  (await db(lockClientRow, client, new Date(now)))[0]?.freeAt.getTime() ?? now

const saveClientRow = statement<never, [client: string, freeAt: Date]>(
  'save-certificate-client',
  `update certificate_clients
   set free_at = $2
   where client = $1`,
)

export const saveClient = (db: Db, client: string, freeAt: Instant) => db(saveClientRow, client, new Date(freeAt))
