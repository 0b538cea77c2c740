// Passkey rules: the hostname for which passkeys are created, the options that a browser
// receives, and the verification of its response. The library verifies; this file gives
// it the expected values, and treats anything it throws as an invalid response.
//
// The maker of the device is not requested (attestation 'none'), and a maker's
// certificate is rejected unparsed: to check one, the library would load the revocation
// list from any URL in the certificate, which an attacker may have written.

import type { Passkey } from '@petstore-platform/contract/platform/passkeys'
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { onDemand } from '../../foundation/on-demand.ts'
import { Refusal } from '../../foundation/refusal.ts'
import type { PasskeyRow } from './passkey-queries.ts'
import type { AccountRow } from '../account-queries.ts'

const library = onDemand('@simplewebauthn/server')
const helpers = onDemand('@simplewebauthn/server/helpers')

/** The relying party of all passkeys: the dashboard, by its hostname. */
export type RelyingParty = { id: string; origin: string }

/** Browsers create no passkeys for an IP address; a URL spells one in digits or in brackets. */
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
/** ES256, EdDSA and RS256: every device supports one of them, and every Node that we run on verifies all. */
const ALGORITHMS = [-7, -8, -257]
const TRANSPORTS: readonly AuthenticatorTransport[] = ['ble', 'hybrid', 'internal', 'nfc', 'usb']

/** The user handle that the device stores next to the secret: our random identifier, nothing about the person. */
const handleOf = (account: string) => Buffer.from(account)

export type PasskeyChallenge = { party: RelyingParty; challenge: Uint8Array; timeoutMs: number }

export const registrationOptions = (
  { party, challenge, timeoutMs }: PasskeyChallenge,
  { id, email, name }: AccountRow,
  known: readonly PasskeyRow[],
) =>
  library().generateRegistrationOptions({
    rpName: SERVICE,
    rpID: party.id,
    userID: bytesOf(handleOf(id)),
    userName: email,
    userDisplayName: name,
    challenge: bytesOf(challenge),
    timeout: timeoutMs,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: knownTransports(transports),
    })),
    supportedAlgorithmIDs: ALGORITHMS,
  })

/** Lists no passkeys: the browser shows those that it has. */
export const signInOptions = ({ party, challenge, timeoutMs }: PasskeyChallenge) =>
  library().generateAuthenticationOptions({
    rpID: party.id,
    challenge: bytesOf(challenge),
    timeout: timeoutMs,
    userVerification: 'required',
  })

/** The form in which a challenge is stored, and in which the browser returns it. */
export const challengeText = (challenge: Uint8Array): string => Buffer.from(challenge).toString('base64url')

/** The challenge in the browser's response; undefined if it contains none. */
export function challengeIn(sent: unknown): string | undefined {
  try {
    const { challenge }: { challenge: unknown } = helpers().decodeClientDataJSON(
      textsOf(inner(sent))['clientDataJSON'] ?? '',
    )
    return typeof challenge === 'string' && CHALLENGE.test(challenge) ? challenge : undefined
  } catch {
    return undefined
  }
}

export type MadePasskey = Pick<PasskeyRow, 'credentialId' | 'counter' | 'transports'> & { publicKey: Uint8Array }

/** Whether the device checked that its user is the right one, by PIN or biometrics. */
type UserVerification = { isUserVerified: boolean }

/** What to store of a passkey that a browser created; undefined if the response is not valid. */
export function verifyMade(
  sent: unknown,
  { id, origin }: RelyingParty,
  challenge: string,
): Promise<(MadePasskey & UserVerification) | undefined> {
  const { attestationObject = '', clientDataJSON = '' } = textsOf(inner(sent))
  if (!isWithoutMaker(attestationObject)) return Promise.resolve(undefined)
  const transports = knownTransports(inner(sent)['transports'])
  return library()
    .verifyRegistrationResponse({
      response: { ...outer(sent), response: { attestationObject, clientDataJSON } } satisfies RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      // The caller checks it, and says what is missing.
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    .then(
      ({ registrationInfo }) => {
        if (!registrationInfo) return undefined
        const { id: credentialId, publicKey, counter } = registrationInfo.credential
        const fits = CREDENTIAL_ID.test(credentialId) && publicKey.length <= PUBLIC_KEY_BYTES_MAX
        const { userVerified: isUserVerified } = registrationInfo
        return fits ? { credentialId, publicKey, counter, transports, isUserVerified } : undefined
      },
      () => undefined,
    )
}

/** The credential id in a sign-in response; undefined if it contains none. */
export function credentialIdIn(sent: unknown): string | undefined {
  const { id } = outer(sent)
  return CREDENTIAL_ID.test(id) ? id : undefined
}

/** `counter`: how often the device says that it has signed. */
export type VerifiedUse = { counter: number } & UserVerification

/** Undefined if this passkey did not sign the response. */
export function verifyUsed(
  sent: unknown,
  { id, origin }: RelyingParty,
  challenge: string,
  passkey: PasskeyRow,
): Promise<VerifiedUse | undefined> {
  const { authenticatorData = '', clientDataJSON = '', signature = '', userHandle = '' } = textsOf(inner(sent))
  if (userHandle !== handleOf(passkey.account).toString('base64url')) return Promise.resolve(undefined)
  return library()
    .verifyAuthenticationResponse({
      response: {
        ...outer(sent),
        response: { authenticatorData, clientDataJSON, signature, userHandle },
      } satisfies AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      credential: { id: passkey.credentialId, publicKey: bytesOf(passkey.publicKey), counter: passkey.counter },
      // The caller checks it, and says what is missing.
      requireUserVerification: false,
    })
    .then(
      ({ verified, authenticationInfo: { newCounter, userVerified } }) =>
        verified ? { counter: newCounter, isUserVerified: userVerified } : undefined,
      () => undefined,
    )
}

export const passkeyOf = ({ id, label, createdAt, lastUsedAt }: PasskeyRow): Passkey => ({
  id,
  label,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
})

/** True without attestation, or with self-attestation. */
function isWithoutMaker(attestationObject: string): boolean {
  try {
    const made = helpers().decodeAttestationObject(bytesOf(Buffer.from(attestationObject, 'base64url')))
    const form = made.get('fmt')
    return form === 'none' || (form === 'packed' && made.get('attStmt').get('x5c') === undefined)
  } catch {
    return false
  }
}

/** Untrusted fields as texts; anything that is not a text is dropped. */
const textsOf = (fields: Record<string, unknown>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const inner = (sent: unknown): Record<string, unknown> =>
  isObject(sent) && isObject(sent['response']) ? sent['response'] : {}

function outer(sent: unknown): Pick<RegistrationResponseJSON, 'id' | 'rawId' | 'type' | 'clientExtensionResults'> {
  const { id = '', rawId = '', type = '' } = textsOf(isObject(sent) ? sent : {})
  // The library verifies the contents.
  return { id, rawId, type: type as 'public-key', clientExtensionResults: {} }
}

const knownTransports = (values: unknown): AuthenticatorTransport[] =>
  Array.isArray(values) ? TRANSPORTS.filter((transport) => values.includes(transport)) : []

/** A copy in a buffer of its own, as the library requires. */
const bytesOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)
