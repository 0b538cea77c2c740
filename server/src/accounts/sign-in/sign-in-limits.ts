// What each attempt to prove who one is is charged to, and what a client reads that has used up its allowance. Only what
// fails stays charged. No stranger can use up an owner's ways in: a known device has an allowance of its own, a passkey
// is charged to the address group alone, and a mailed link is not charged to the account.
//
// Everything is counted by digest: of the address that was entered, whether or not it has an account, and of the address
// group. So no limit tells whether an account exists.

import { addressNetwork } from '../../foundation/address-group.ts'
import { digestOf } from '../../foundation/key-format.ts'
import type { Charge, Reached } from '../../foundation/load/rate-directory.io.ts'
import { Refusal } from '../../foundation/refusal.ts'

/** What an operator can set; the other figures are in proportion to these two. */
export type SignInLimits = Readonly<{
  /** Failed attempts from one address group in a minute: 30 by default. */
  signInsPerAddress: number
  /** Wrong passwords from all unknown devices together, for one account in an hour: 20 by default. */
  signInsPerAccount: number
}>

/** The address as it was entered, by digest; and the group of the client's internet address. */
export type Attempt = { email: Buffer; group: string }

const MINUTE_SECONDS = 60
const QUARTER_SECONDS = 15 * 60
const HOUR_SECONDS = 3600
/** A network has many groups, and many people. */
const NETWORK_FACTOR = 10

export type Allowances = ReturnType<typeof allowancesOf>

/** The charges of every kind of attempt. */
export function allowancesOf({ signInsPerAddress, signInsPerAccount }: SignInLimits) {
  const perHour = Math.ceil((signInsPerAddress * 10) / 3)
  const byGroup = (what: GroupedKind, group: string, mosts: Partial<Record<'minute' | 'hour', number>>): Charge[] =>
    (['minute', 'hour'] as const).flatMap((period) => {
      const most = mosts[period]
      if (most === undefined) return []
      const seconds = period === 'minute' ? MINUTE_SECONDS : HOUR_SECONDS
      return [
        charge(`${what}_group_${period}`, group, most, seconds),
        charge(`${what}_network_${period}`, addressNetwork(group), most * NETWORK_FACTOR, seconds),
      ]
    })
  const grouped = { minute: signInsPerAddress, hour: perHour }
  const part = (share: number) => Math.max(1, Math.ceil(signInsPerAccount / share))
  const pair = ({ email, group }: Attempt, kind: 'sign_in_pair' | 'code_pair') =>
    charge(kind, `${email.toString('hex')} ${group}`, part(4), QUARTER_SECONDS)

  return {
    /** After so many wrong passwords in a row, unknown devices need another way in. */
    consecutive: signInsPerAccount * 5,
    passkey: (group: string) => byGroup('passkey', group, { minute: signInsPerAddress * 2 }),
    /** `device`: the digest of its cookie. Never charged to an address: the device may be in an office, beside others. */
    knownDevice: (email: Buffer, device: Buffer) => [
      charge('sign_in_device', `${email.toString('hex')} ${device.toString('hex')}`, part(2), QUARTER_SECONDS),
    ],
    unknownDevice: (attempt: Attempt) => [
      pair(attempt, 'sign_in_pair'),
      ...byGroup('sign_in', attempt.group, grouped),
      charge('sign_in_account', attempt.email.toString('hex'), signInsPerAccount, HOUR_SECONDS),
    ],
    /** A code has 80 random bits, so that strangers who guess codes of an account are no danger to it. */
    recoveryCode: (attempt: Attempt) => [pair(attempt, 'code_pair'), ...byGroup('recovery', attempt.group, grouped)],
    /** A password or a new address, from inside a session. */
    session: (account: string, session: string) => [
      charge('session', `${account} ${session}`, part(2), QUARTER_SECONDS),
    ],
    recovery: (group: string) => byGroup('recovery', group, grouped),
    signUp: (group: string) => byGroup('sign_up', group, grouped),
  }
}

type GroupedKind = 'sign_in' | 'passkey' | 'recovery' | 'sign_up'

const charge = (kind: string, whom: string, most: number, seconds: number): Charge => ({
  kind,
  key: digestOf(`${kind}\n${whom}`),
  // The greatest that PostgreSQL counts to.
  most: Math.min(most, 2_147_483_647),
  seconds,
})

/** What a client reads whose allowance is used up: which limit, how much it allows, and what to do. */
export function refusalOf(reached: readonly Reached[], charges: readonly Charge[]): Refusal {
  const [first] = reached.toSorted((one, other) => other.retrySeconds - one.retrySeconds)
  const ofAccount = reached.find(({ kind }) => kind === 'sign_in_account')
  const { kind, retrySeconds } = ofAccount ?? first ?? { kind: '', retrySeconds: 1 }
  const { most = 0, seconds = 0 } = charges.find((one) => one.kind === kind) ?? {}
  const figure = `${most} in ${spanOf(seconds)}`
  if (ofAccount) return passwordsOff(`${figure} from new devices`, retrySeconds)
  const [sentence, instead] = textsOf(kind)
  const retry = `Retry in ${retrySeconds} s${instead === undefined ? '' : `, or use ${instead}`}.`
  return new Refusal('rate_limited', `${sentence} (${figure}). ${retry}`, { 'Retry-After': String(retrySeconds) })
}

const OTHER_WAYS = 'a device that signed in before, a passkey or a mailed sign-in link'

/** Passwords from unknown devices are not accepted: for a while, or until the person has signed in in another way. */
export function passwordsOff(figure: string, retrySeconds?: number): Refusal {
  const until = retrySeconds === undefined ? 'Until the next sign-in by one of these' : `For the next ${retrySeconds} s`
  return new Refusal(
    'password_not_accepted',
    `Too many wrong passwords for this account (${figure}). ${until}, only ${OTHER_WAYS} is accepted.`,
  )
}

/** Which limit was reached, and another way, if there is one. */
function textsOf(kind: string): readonly [sentence: string, instead?: string] {
  if (kind === 'sign_in_device') return ['Too many wrong passwords on this device', 'a passkey']
  if (kind === 'sign_in_pair') return ['Too many wrong passwords for this account from this address', OTHER_WAYS]
  if (kind === 'code_pair') return ['Too many wrong recovery codes for this account from this address']
  if (kind === 'session') return ['Too many attempts in this session']
  if (kind.startsWith('passkey_')) return ['Too many rejected passkeys from this address', 'your password']
  if (kind.startsWith('sign_in_')) return ['Too many failed sign-ins from this address', OTHER_WAYS]
  if (kind.startsWith('sign_up_')) return ['Too many attempts to sign up from this address']
  return ['Too many requests to recover an account from this address']
}

const spanOf = (seconds: number): string => {
  if (seconds === HOUR_SECONDS) return 'an hour'
  return seconds === MINUTE_SECONDS ? 'a minute' : `${seconds / 60} minutes`
}
