// The steps that all ways of signing in share, whatever the credential: a session begins with a new
// cookie, the account is returned, and a failure is logged. Also the check that a request comes from
// a session and not from a token.

import type { FastifyInstance } from 'fastify'
import { digestOf } from '../../foundation/key-format.ts'
import type { Db } from '../../foundation/postgres/postgres.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import type { AccountPlatform } from '../account-platform.ts'
import { lockAccount, type AccountId, type AccountRow } from '../account-queries.ts'
import { deviceOf } from '../sessions/device.ts'
import { COOKIE, cookieOf, DEVICE_COOKIE, newSecret, type Person, type Visitor } from '../sessions/guard.io.ts'
import { DEVICE_DAYS } from '../account-limits.ts'
import { insertDevice, insertSession, replaceBrowserSession, seeDevice } from '../sessions/session-queries.ts'

const DAY_SECONDS = 24 * 60 * 60
const DEVICES_MAX = 20

/** For how long a session lasts, at most and without use. */
const lengths = {
  known: { seconds: 90 * DAY_SECONDS, idleSeconds: 14 * DAY_SECONDS },
  unknown: { seconds: DAY_SECONDS / 2, idleSeconds: 30 * 60 },
}

export type Beginning = {
  account: AccountId
  /** The password hash that was compared with, or that was current when a passkey was verified. */
  password: string
  visitor: Visitor
  /** Whether a password or a user-verified passkey was presented. */
  isProved: boolean
  passkey?: string
  /** The name of the device, if the session takes the place of another one. */
  device?: string | null
  /** True where the address of the account was proved on this device, which is then known from the beginning. */
  isFirst?: true
}

export type Begun = { cookies: readonly string[]; isKnownDevice: boolean }

/** The cookies of a new session, if the password hash is still the one that was compared with. Needs a transaction. */
export async function beginSession(
  db: Db,
  { newId, randomBytes, limits }: Pick<AccountPlatform, 'newId' | 'randomBytes' | 'limits'>,
  beginning: Beginning,
): Promise<Begun> {
  const { account, password, visitor, isProved, passkey = null, isFirst = false } = beginning
  const { device = deviceOf(visitor.userAgent) } = beginning
  // So that devices are counted correctly, and the password cannot change in the meantime.
  await lockAccount(db, account)
  const { deviceSecret = newSecret(randomBytes) } = visitor
  const deviceDigest = digestOf(deviceSecret)
  const isKnownDevice = visitor.deviceSecret !== undefined && (await seeDevice(db, account, deviceDigest))
  const { seconds, idleSeconds } = lengths[isKnownDevice || isFirst ? 'known' : 'unknown']
  const secret = newSecret(randomBytes)
  const session = {
    id: newId('ses'),
    account,
    digest: digestOf(secret),
    password,
    device,
    seconds,
    idleSeconds,
    isProved,
    passkey,
  }
  const row = await insertSession(db, session, limits.sessions)
  if (!row) throw new Refusal('wrong_credentials')
  // The browser forgets its cookie now; a copy of it must not outlive that.
  if (visitor.sessionSecret !== undefined) await replaceBrowserSession(db, digestOf(visitor.sessionSecret))
  if (!isKnownDevice) await insertDevice(db, account, deviceDigest, DEVICES_MAX)
  const cookies = [cookieOf(COOKIE, secret, seconds), cookieOf(DEVICE_COOKIE, deviceSecret, DEVICE_DAYS * DAY_SECONDS)]
  return { cookies, isKnownDevice }
}

export type FailedSignIn = {
  /** Undefined if the address has none, or if none was entered. */
  account?: AccountId | undefined
  /** The digest of the address that was entered. */
  email?: Buffer
  group: string
  isKnownDevice: boolean
}

/** Logs an attempt that was refused: one line, which names no address of a person and nothing that was entered. */
export const failureLog =
  ({ log }: Pick<FastifyInstance, 'log'>) =>
  (refusal: unknown, { account, email, group, isKnownDevice }: FailedSignIn): void => {
    if (!(refusal instanceof Refusal)) return
    const who = account === undefined ? { email: email?.toString('hex') } : { account }
    log.warn({ reason: refusal.code, ...who, group, isKnownDevice }, 'a sign-in failed')
  }

/**
 * The session of a signed-in person. A leaked token is usable until it expires; it must not be able to
 * prolong itself.
 */
export function sessionIdOf({ session }: Person): string {
  if (session === undefined) throw new Refusal('session_required')
  return session
}

export const accountJson = ({ id, email, isVerified, name, language, timeZone, isReachable, createdAt }: AccountRow) =>
  JSON.stringify({ id, email, isVerified, name, language, timeZone, isReachable, createdAt })
