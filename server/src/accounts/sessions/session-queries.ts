// Queries for sessions, and for the devices on which a person has signed in before.

import { statement, query, queryAny, type Db } from '../../foundation/postgres/postgres.io.ts'
import { notifyRevocation } from '../../foundation/postgres/revocations.io.ts'
import { isAccountPartId, type AccountId } from '../account-queries.ts'

export type SessionRow = {
  id: string
  account: AccountId
  digest: Buffer
  /** The device on which the session began; null if it was not recognised. */
  device: string | null
  createdAt: Date
  seenAt: Date
  /** The latest end, however much it is used. */
  expiresAt: Date
  /** How long it lasts without use. */
  idleSeconds: number
  /** When a password or a user-verified passkey was last presented; null if neither was. */
  provedAt: Date | null
}

const sessionColumns = `id, account_id as account, digest, device, created_at as "createdAt", seen_at as "seenAt",
     expires_at as "expiresAt", idle_seconds as "idleSeconds", proved_at as "provedAt"`

// Never concurrent with setting the password: a session is created before that, and then ended with the
// others, or not at all.
const insertSessionRow = statement<
  SessionRow,
  [
    id: string,
    account: AccountId,
    digest: Buffer,
    password: string,
    device: string | null,
    seconds: number,
    idleSeconds: number,
    isProved: boolean,
    passkey: string | null,
  ]
>(
  'insert-session',
  `insert into sessions (id, account_id, digest, device, expires_at, idle_seconds, idle_until, proved_at, passkey_id)
   select $1, id, $3::bytea, $5::text, now() + make_interval(secs => $6), $7::integer,
     now() + make_interval(secs => $7::integer), case when $8::boolean then now() end, $9::text
   from accounts
   where id = $2 and password = $4
   for share
   returning ${sessionColumns}`,
)

export type NewSession = {
  id: string
  account: AccountId
  digest: Buffer
  password: string
  device: string | null
  seconds: number
  idleSeconds: number
  isProved: boolean
  passkey: string | null
}

const limitSessionRows = statement<{ id: string }, [account: AccountId, most: number]>(
  'limit-sessions',
  `delete from sessions
   where account_id = $1 and id not in (
     select id
     from sessions
     where account_id = $1
     order by created_at desc, id
     limit $2
   )
   returning id`,
)

/** Undefined if the given hash is no longer that of the account. The oldest session makes room for a new one. */
export const insertSession = async (
  db: Db,
  { id, account, digest, password, device, seconds, idleSeconds, isProved, passkey }: NewSession,
  most: number,
): Promise<SessionRow | undefined> => {
  const [row] = await db(
    insertSessionRow,
    id,
    account,
    digest,
    password,
    device,
    seconds,
    idleSeconds,
    isProved,
    passkey,
  )
  if (row && (await db(limitSessionRows, account, most)).length > 0) await notifyRevocation(db)
  return row
}

export const findSessions = query<SessionRow, [digests: readonly Buffer[]]>(
  'find-sessions',
  `select ${sessionColumns}
   from sessions
   where digest = any ($1::bytea[])`,
)

/**
 * Whether the session has not ended: a session that was found a moment ago may be cached. With the account locked, the
 * response stays true until the transaction ends.
 */
export const isSessionOpen = queryAny<[account: AccountId, id: string]>(
  'is-session-open',
  `select id
   from sessions
   where account_id = $1 and id = $2`,
)

export const touchSession = query<never, [id: string]>(
  'touch-session',
  `update sessions
   set seen_at = now(), idle_until = now() + make_interval(secs => idle_seconds)
   where id = $1`,
)

/** For how long a session stays valid when another one has taken its place: some requests still carry its cookie. */
const OVERLAP_SECONDS = 10

const listSessionRows = statement<SessionRow, [account: AccountId, overlapSeconds: number]>(
  'list-sessions',
  `select ${sessionColumns}
   from sessions
   where account_id = $1 and expires_at > now() + make_interval(secs => $2) and idle_until > now()
   order by created_at desc, id
   limit 100`,
)

/** Without those in whose place another one has begun. */
export const listSessions = (db: Db, account: AccountId) => db(listSessionRows, account, OVERLAP_SECONDS)

const replaceSessionRow = statement<
  Pick<SessionRow, 'id' | 'device'>,
  [account: AccountId, id: string, seconds: number]
>(
  'replace-session',
  `update sessions
   set expires_at = least(expires_at, now() + make_interval(secs => $3))
   where account_id = $1 and id = $2
   returning id, device`,
)

/** Lets a session end soon. Undefined if it has ended. */
export async function replaceSession(db: Db, account: AccountId, id: string) {
  const [replaced] = await db(replaceSessionRow, account, id, OVERLAP_SECONDS)
  if (replaced) await notifyRevocation(db)
  return replaced
}

const replaceBrowserSessionRow = statement<never, [digest: Buffer, seconds: number]>(
  'replace-browser-session',
  `update sessions
   set expires_at = least(expires_at, now() + make_interval(secs => $2))
   where digest = $1`,
)

/** Lets the session end soon whose cookie a browser sent when another one began in it, of whatever account. */
export const replaceBrowserSession = (db: Db, digest: Buffer) => db(replaceBrowserSessionRow, digest, OVERLAP_SECONDS)

const deleteSessionRow = statement<{ id: string }, [account: AccountId, id: string]>(
  'delete-session',
  `delete from sessions
   where account_id = $1 and id = $2
   returning id`,
)

/** True if there was one. */
export async function deleteSession(db: Db, account: AccountId, id: string): Promise<boolean> {
  if (!isAccountPartId(id) || (await db(deleteSessionRow, account, id)).length === 0) return false
  await notifyRevocation(db)
  return true
}

const deleteSessionRows = statement<Pick<SessionRow, 'id' | 'device'>, [account: AccountId]>(
  'delete-sessions',
  `delete from sessions
   where account_id = $1
   returning id, device`,
)

export async function deleteSessions(db: Db, account: AccountId) {
  const ended = await db(deleteSessionRows, account)
  await notifyRevocation(db)
  return ended
}

const deletePasskeySessionRows = statement<never, [account: AccountId, passkey: string]>(
  'delete-passkey-sessions',
  `delete from sessions
   where account_id = $1 and passkey_id = $2`,
)

/** Ends the sessions that began with the passkey. */
export async function deletePasskeySessions(db: Db, account: AccountId, passkey: string): Promise<void> {
  await db(deletePasskeySessionRows, account, passkey)
  await notifyRevocation(db)
}

/** True if the person has signed in with this cookie before. */
export const seeDevice = queryAny<[account: AccountId, digest: Buffer]>(
  'see-known-device',
  `update known_devices
   set seen_at = now()
   where account_id = $1 and digest = $2
   returning digest`,
)

const insertDeviceRow = statement<never, [account: AccountId, digest: Buffer]>(
  'insert-known-device',
  `insert into known_devices (account_id, digest)
   values ($1, $2)
   on conflict (account_id, digest) do nothing`,
)
const limitDeviceRows = statement<never, [account: AccountId, most: number]>(
  'limit-known-devices',
  `delete from known_devices
   where account_id = $1 and digest not in (
     select digest
     from known_devices
     where account_id = $1
     order by seen_at desc, digest
     limit $2
   )`,
)

/** The device that was not used for longest makes room for a new one. */
export async function insertDevice(db: Db, account: AccountId, digest: Buffer, most: number): Promise<void> {
  await db(insertDeviceRow, account, digest)
  await db(limitDeviceRows, account, most)
}
