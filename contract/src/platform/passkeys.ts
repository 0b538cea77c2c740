// Passkeys: signing in with a phone, a computer or a security key instead of a password.
// Requests to the browser, and its responses, are WebAuthn in the JSON of browsers:
// `PublicKeyCredential.parseCreationOptionsFromJSON`, its counterpart for requests, and
// `toJSON`. So they are passed on unchanged, and not described again here.

import { Type, type Static } from 'typebox'
import { Account, Time, TimeOrNull, getAccount, label, labelFault } from './accounts.ts'
import { anyone, idParameter, signedIn, type PlatformOperation } from './operation.ts'

export const PASSKEYS_MAX = 20
export const CHALLENGE_SECONDS = 300

/** The common part of all browser responses; the rest is between the browser and the server that verifies it. */
const response = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  required: ['id', 'rawId', 'response', 'type'],
  properties: {
    id: { type: 'string' },
    rawId: { type: 'string' },
    response: { type: 'object' },
    type: { type: 'string' },
  },
  additionalProperties: true,
  maxProperties: 20,
  description: 'The credential, as returned by its `toJSON()` method.',
})
const responseFault = "'response' must be the credential, as returned by its 'toJSON' method."

const options = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  description: 'WebAuthn options, in their JSON form.',
})

export const Passkey = Type.Object(
  { id: Type.String({ description: 'Identifier of the passkey.' }), label, createdAt: Time, lastUsedAt: TimeOrNull },
  { $id: 'Passkey', description: 'A device or password manager with which the person signs in.' },
)
export type Passkey = Static<typeof Passkey>
export const Passkeys = Type.Array(Passkey, { $id: 'Passkeys', maxItems: PASSKEYS_MAX })
export const PasskeyCreation = Type.Object({ options }, { $id: 'PasskeyCreation' })
export const PasskeyRequest = Type.Object(
  { challengeId: Type.String({ description: 'Send it back with the response of the browser.' }), options },
  { $id: 'PasskeyRequest' },
)
export const NewPasskey = Type.Object({ label, response }, { $id: 'NewPasskey', additionalProperties: false })
export const PasskeyAnswer = Type.Object(
  { challengeId: Type.Unsafe<string>({ type: 'string', minLength: 1, maxLength: 100 }), response },
  { $id: 'PasskeyAnswer', additionalProperties: false },
)
export type PasskeyAnswer = Static<typeof PasskeyAnswer>

const passkey = { id: 'psk_7a6b5c4d3e2f', label: 'My phone', createdAt: '2026-11-14T22:00:00Z', lastUsedAt: null }
const credentialId = 'qL8s0mJ2nY5xVb1cT7dE3w'
const challenge = 'zN0pQ2rS4tU6vW8xY0aB2cD4eF6gH8iJ0kL2mN4oP6q'
const needsName =
  'Browsers tie passkeys to the hostname of the dashboard, such as `localhost`, so they are not available if the dashboard is opened at an IP address, such as `127.0.0.1`.'

export const preparePasskey = {
  operationId: 'preparePasskey',
  method: 'POST',
  path: '/account/passkeys/options',
  tag: 'account',
  access: 'account',
  recent: true,
  summary: 'Prepare a passkey',
  description: `Returns the WebAuthn options for creating a passkey. They can be used once, within five minutes. ${needsName}`,
  parameters: {},
  success: {
    status: 200,
    description: 'The WebAuthn options.',
    schema: PasskeyCreation,
    headers: [],
    example: {
      options: {
        challenge,
        rp: { name: 'Petstore', id: 'app.petstore.example' },
        user: { id: 'YWNjXzNkMmY4YTFiNmM3ZQ', name: 'mia@happy-paws.example', displayName: 'Mia' },
        pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
      },
    },
  },
  otherStatuses: [...signedIn, 409],
} as const satisfies PlatformOperation

export const addPasskey = {
  operationId: 'addPasskey',
  method: 'POST',
  path: '/account/passkeys',
  tag: 'account',
  access: 'account',
  recent: true,
  summary: 'Add a passkey',
  description: `Stores the passkey that the browser created. The device must verify its user, by PIN or biometrics. At most ${PASSKEYS_MAX} at a time.`,
  parameters: {},
  body: {
    schema: NewPasskey,
    faults: { label: labelFault, response: responseFault },
    examples: {
      one: {
        summary: 'A phone',
        value: {
          label: 'My phone',
          response: {
            id: credentialId,
            rawId: credentialId,
            type: 'public-key',
            response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0', attestationObject: 'o2NmbXRkbm9uZQ' },
            clientExtensionResults: {},
          },
        },
      },
    },
  },
  success: { status: 201, description: 'The passkey.', schema: Passkey, headers: [], example: passkey },
  otherStatuses: [...signedIn, 409],
} as const satisfies PlatformOperation

export const listPasskeys = {
  operationId: 'listPasskeys',
  method: 'GET',
  path: '/account/passkeys',
  tag: 'account',
  access: 'account',
  summary: 'List passkeys',
  description: 'The passkeys of the person, newest first.',
  parameters: {},
  success: { status: 200, description: 'The passkeys.', schema: Passkeys, headers: ['ETag'], example: [passkey] },
  otherStatuses: signedIn,
} as const satisfies PlatformOperation

export const removePasskey = {
  operationId: 'removePasskey',
  method: 'DELETE',
  path: '/account/passkeys/{passkeyId}',
  tag: 'account',
  access: 'account',
  recent: true,
  summary: 'Remove a passkey',
  description: 'The passkey can no longer be used to sign in, and the sessions that were started with it end.',
  parameters: { passkeyId: idParameter('Identifier of the passkey.', passkey.id) },
  success: { status: 204, description: 'Removed.', headers: [] },
  otherStatuses: [...signedIn, 404],
} as const satisfies PlatformOperation

export const prepareSignIn = {
  operationId: 'prepareSignIn',
  method: 'POST',
  path: '/session/passkey/options',
  tag: 'account',
  access: 'anyone',
  summary: 'Prepare signing in with a passkey',
  description: `Returns the WebAuthn options for signing in with any passkey of the browser; no email address is needed. They can be used once, within five minutes. ${needsName}`,
  parameters: {},
  success: {
    status: 200,
    description: 'The WebAuthn options.',
    schema: PasskeyRequest,
    headers: [],
    example: {
      challengeId: 'chl_5e4d3c2b1a0f',
      options: { challenge, rpId: 'app.petstore.example', userVerification: 'required' },
    },
  },
  otherStatuses: [...anyone, 409],
} as const satisfies PlatformOperation

export const signInWithPasskey = {
  operationId: 'signInWithPasskey',
  method: 'POST',
  path: '/session/passkey',
  tag: 'account',
  access: 'anyone',
  summary: 'Sign in with a passkey',
  description:
    'Starts a session, and counts as a sign-in attempt, like signing in with a password. The device must verify its user, by PIN or biometrics. Every invalid passkey gets the same error.',
  parameters: {},
  body: {
    schema: PasskeyAnswer,
    faults: { challengeId: "'challengeId' must be the one that was given out.", response: responseFault },
    examples: {
      one: {
        summary: 'Sign in',
        value: {
          challengeId: 'chl_5e4d3c2b1a0f',
          response: {
            id: credentialId,
            rawId: credentialId,
            type: 'public-key',
            response: {
              clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
              authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
              signature: 'MEUCIQDx',
              userHandle: 'YWNjXzNkMmY4YTFiNmM3ZQ',
            },
            clientExtensionResults: {},
          },
        },
      },
    },
  },
  success: {
    status: 200,
    description: 'The account.',
    schema: Account,
    headers: ['Set-Cookie'],
    example: getAccount.success.example,
  },
  otherStatuses: [...anyone, 401],
} as const satisfies PlatformOperation

export const passkeyOperations: readonly PlatformOperation[] = [
  preparePasskey,
  addPasskey,
  listPasskeys,
  removePasskey,
  prepareSignIn,
  signInWithPasskey,
]
