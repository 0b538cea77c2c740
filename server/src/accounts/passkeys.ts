// Passkeys, decided: for which name they are made, what a browser is asked, and
// whether what it answers is right. Checking is the library's work; here it is
// told what we expect, and whatever it throws means that the answer is not right.
//
// Who makes the device is not asked (attestation 'none'), and a certificate of a
// maker is refused unread: to check one, the library would load the list of revoked
// ones from wherever the certificate says, which a stranger may have written.

import type { Passkey } from '@petstore/contract/platform/passkeys'
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { decodeAttestationObject, decodeClientDataJSON } from '@simplewebauthn/server/helpers'
import { Refusal } from '../foundation/refusal.ts'
import type { PasskeyRow } from './passkey-queries.ts'
import type { AccountRow } from './account-queries.ts'

/** To whom passkeys belong: the dashboard, by its name. */
export type RelyingParty = { id: string; origin: string }

/** Browsers make no passkeys for an address; a URL spells one in digits or in brackets. */
export function relyingPartyOf(origin: string): RelyingParty | undefined {
  const { hostname } = new URL(origin)
  return /^(\d+\.){3}\d+$|^\[/.test(hostname) ? undefined : { id: hostname, origin }
}

export function named(party: RelyingParty | undefined): RelyingParty {
  if (!party) throw new Refusal('passkeys_unavailable')
  return party
}

const SERVICE = 'Petstore'
const PUBLIC_KEY_BYTES_MAX = 2048
const CREDENTIAL_ID = /^[A-Za-z0-9_-]{1,1364}$/
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/
/** ES256, EdDSA and RS256: what every device has one of, and every Node that we run on checks. */
const ALGORITHMS = [-7, -8, -257]
const TRANSPORTS: readonly AuthenticatorTransport[] = ['ble', 'hybrid', 'internal', 'nfc', 'usb']

/** What the device keeps beside the secret, to say whose it is: our random identifier, nothing about the person. */
const handleOf = (account: string) => Buffer.from(account)

export type PasskeyChallenge = { party: RelyingParty; challenge: Uint8Array; timeoutMs: number }

export const registrationOptions = (
  { party, challenge, timeoutMs }: PasskeyChallenge,
  { id, email, name }: AccountRow,
  known: readonly PasskeyRow[],
) =>
  generateRegistrationOptions({
    rpName: SERVICE,
    rpID: party.id,
    userID: bytesOf(handleOf(id)),
    userName: email,
    userDisplayName: name,
    challenge: bytesOf(challenge),
    timeout: timeoutMs,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: knownTransports(transports),
    })),
    supportedAlgorithmIDs: ALGORITHMS,
  })

/** No passkeys are named: the browser shows those that it has. */
export const signInOptions = ({ party, challenge, timeoutMs }: PasskeyChallenge) =>
  generateAuthenticationOptions({
    rpID: party.id,
    challenge: bytesOf(challenge),
    timeout: timeoutMs,
    userVerification: 'preferred',
  })

/** As it is kept, and as the browser says it back. */
export const challengeText = (challenge: Uint8Array): string => Buffer.from(challenge).toString('base64url')

/** What the browser says that it was asked; undefined if it says nothing of the kind. */
export function challengeIn(sent: unknown): string | undefined {
  try {
    const { challenge }: { challenge: unknown } = decodeClientDataJSON(textsOf(inner(sent))['clientDataJSON'] ?? '')
    return typeof challenge === 'string' && CHALLENGE.test(challenge) ? challenge : undefined
  } catch {
    return undefined
  }
}

export type MadePasskey = Pick<PasskeyRow, 'credentialId' | 'counter' | 'transports'> & { publicKey: Uint8Array }

/** What is to be kept of the passkey that a browser made; undefined if it is not right. */
export function verifyMade(
  sent: unknown,
  { id, origin }: RelyingParty,
  challenge: string,
): Promise<MadePasskey | undefined> {
  const { attestationObject = '', clientDataJSON = '' } = textsOf(inner(sent))
  if (!isWithoutMaker(attestationObject)) return Promise.resolve(undefined)
  const transports = knownTransports(inner(sent)['transports'])
  return verifyRegistrationResponse({
    response: { ...outer(sent), response: { attestationObject, clientDataJSON } } satisfies RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).then(
    ({ registrationInfo }) => {
      if (!registrationInfo) return undefined
      const { id: credentialId, publicKey, counter } = registrationInfo.credential
      const fits = CREDENTIAL_ID.test(credentialId) && publicKey.length <= PUBLIC_KEY_BYTES_MAX
      return fits ? { credentialId, publicKey, counter, transports } : undefined
    },
    () => undefined,
  )
}

/** By which passkey somebody says to sign in; undefined if by none. */
export function credentialIdIn(sent: unknown): string | undefined {
  const { id } = outer(sent)
  return CREDENTIAL_ID.test(id) ? id : undefined
}

/** The device's counter, if it was this passkey that answered; undefined if it is not right. */
export function verifyUsed(
  sent: unknown,
  { id, origin }: RelyingParty,
  challenge: string,
  passkey: PasskeyRow,
): Promise<number | undefined> {
  const { authenticatorData = '', clientDataJSON = '', signature = '', userHandle = '' } = textsOf(inner(sent))
  if (userHandle !== handleOf(passkey.account).toString('base64url')) return Promise.resolve(undefined)
  return verifyAuthenticationResponse({
    response: {
      ...outer(sent),
      response: { authenticatorData, clientDataJSON, signature, userHandle },
    } satisfies AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    credential: { id: passkey.credentialId, publicKey: bytesOf(passkey.publicKey), counter: passkey.counter },
    requireUserVerification: false,
  }).then(
    ({ verified, authenticationInfo }) => (verified ? authenticationInfo.newCounter : undefined),
    () => undefined,
  )
}

export const passkeyOf = ({ id, label, createdAt, lastUsedAt }: PasskeyRow): Passkey => ({
  id,
  label,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
})

/** Nothing is said of the maker, or the passkey vouches for itself. */
function isWithoutMaker(attestationObject: string): boolean {
  try {
    const made = decodeAttestationObject(bytesOf(Buffer.from(attestationObject, 'base64url')))
    const form = made.get('fmt')
    return form === 'none' || (form === 'packed' && made.get('attStmt').get('x5c') === undefined)
  } catch {
    return false
  }
}

/** What came from outside, as texts; what is no text is not there. */
const textsOf = (fields: Record<string, unknown>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const inner = (sent: unknown): Record<string, unknown> =>
  isObject(sent) && isObject(sent['response']) ? sent['response'] : {}

function outer(sent: unknown): Pick<RegistrationResponseJSON, 'id' | 'rawId' | 'type' | 'clientExtensionResults'> {
  const { id = '', rawId = '', type = '' } = textsOf(isObject(sent) ? sent : {})
  // Whether it says what it must is for the library to see.
  return { id, rawId, type: type as 'public-key', clientExtensionResults: {} }
}

const knownTransports = (values: unknown): AuthenticatorTransport[] =>
  Array.isArray(values) ? TRANSPORTS.filter((transport) => values.includes(transport)) : []

/** In memory of their own, as the library wants them. */
const bytesOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)
