// Re-authentication: some operations require that the person has presented a password or a
// passkey in the last minutes (`recent` in their description here, `x-recent` in the OpenAPI
// document). A stolen session alone cannot call them.

import { Type } from 'typebox'
import { knownPassword, knownPasswordFault } from './accounts.ts'
import { RECENT_MINUTES, signedIn, type PlatformOperation } from './operation.ts'
import { PasskeyAnswer, signInWithPasskey } from './passkeys.ts'

export const PasswordProof = Type.Object(
  { password: knownPassword },
  { $id: 'PasswordProof', additionalProperties: false },
)

const effect = `Operations that require a recent sign-in are then accepted for ${RECENT_MINUTES} minutes. The response sets the cookie of a new session; the current one ends within a few seconds.`

export const reauthenticate = {
  operationId: 'reauthenticate',
  method: 'POST',
  path: '/session/reauthentication',
  tag: 'account',
  access: 'account',
  summary: 'Re-authenticate with the password',
  description: `Confirms that the person at the session is its owner. ${effect}`,
  parameters: {},
  body: {
    schema: PasswordProof,
    faults: { password: knownPasswordFault('password') },
    examples: { one: { summary: 'With the password', value: { password: 'seven otters juggle' } } },
  },
  success: { status: 204, description: 'Confirmed.', headers: ['Set-Cookie'] },
  otherStatuses: signedIn,
} as const satisfies PlatformOperation

export const reauthenticateWithPasskey = {
  operationId: 'reauthenticateWithPasskey',
  method: 'POST',
  path: '/session/reauthentication/passkey',
  tag: 'account',
  access: 'account',
  summary: 'Re-authenticate with a passkey',
  description: `As with the password, with a passkey of the account that verifies its user by PIN or biometrics. The options come from *Prepare signing in with a passkey*. ${effect}`,
  parameters: {},
  body: {
    schema: PasskeyAnswer,
    faults: signInWithPasskey.body.faults,
    examples: signInWithPasskey.body.examples,
  },
  success: { status: 204, description: 'Confirmed.', headers: ['Set-Cookie'] },
  otherStatuses: signedIn,
} as const satisfies PlatformOperation

export const reauthenticationOperations: readonly PlatformOperation[] = [reauthenticate, reauthenticateWithPasskey]
