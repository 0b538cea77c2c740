// Operations for people who have forgotten their password: a link is mailed to the address of the
// account, and sets a new one. No response tells whether an address has an account.

import { Type } from 'typebox'
import { email, emailFault, password, passwordFault } from './accounts.ts'
import { anyone, type PlatformOperation } from './operation.ts'

export const RECOVERY_MINUTES = 30
/** 32 random bytes in base64url. */
const SECRET_LENGTH = 43

export const RecoveryRequest = Type.Object({ email }, { $id: 'RecoveryRequest', additionalProperties: false })

export const RequestedRecovery = Type.Object(
  { linkMinutes: Type.Integer({ description: 'For how many minutes the link in the mail is valid.' }) },
  { $id: 'RequestedRecovery' },
)

export const Recovery = Type.Object(
  {
    secret: Type.Unsafe<string>({
      type: 'string',
      minLength: 1,
      maxLength: SECRET_LENGTH,
      description: 'The part of the mailed link that follows `#`.',
    }),
    password,
  },
  { $id: 'Recovery', additionalProperties: false },
)

export const requestRecovery = {
  operationId: 'requestRecovery',
  method: 'POST',
  path: '/recovery',
  tag: 'account',
  access: 'anyone',
  summary: 'Request a link to reset the password',
  description:
    'If the address has an account, a link is mailed to it. The response is the same if it has none. At most 3 mails an hour and 10 a day are sent to an address.',
  parameters: {},
  body: {
    schema: RecoveryRequest,
    faults: { email: emailFault },
    examples: { one: { summary: 'A forgotten password', value: { email: 'mia@happy-paws.example' } } },
  },
  success: {
    status: 202,
    description: 'Accepted.',
    schema: RequestedRecovery,
    headers: [],
    example: { linkMinutes: RECOVERY_MINUTES },
  },
  otherStatuses: [...anyone, 409],
} as const satisfies PlatformOperation

export const recoverAccount = {
  operationId: 'recoverAccount',
  method: 'POST',
  path: '/recovery/password',
  tag: 'account',
  access: 'anyone',
  summary: 'Set a new password with a mailed link',
  description:
    'The link works once, for 30 minutes. Every session ends, and all access tokens, passkeys and other links of the account are removed; everything is rejected everywhere within a second. Does not sign in.',
  parameters: {},
  body: {
    schema: Recovery,
    faults: {
      secret: `'secret' must have 1 to ${SECRET_LENGTH} characters.`,
      password: passwordFault('password'),
    },
    examples: {
      one: {
        summary: 'A new password',
        value: { secret: 'q3fW0Yb1cN8kT5vR2mJ7xL4pZ9sD6hG0aE1uI8oC3yQ', password: 'a much longer sentence' },
      },
    },
  },
  success: { status: 204, description: 'Set.', headers: [] },
  otherStatuses: [...anyone, 404],
} as const satisfies PlatformOperation

export const recoveryOperations: readonly PlatformOperation[] = [requestRecovery, recoverAccount]
