// Operations for people who have forgotten their password, or who learn of a change that was not
// theirs: a link is mailed to the address of the account; recovery codes do the same without mail.
// No response tells whether an address has an account.

import { Type } from 'typebox'
import { email, emailFault, password, passwordFault, TimeOrNull } from './accounts.ts'
import { anyone, signedIn, type PlatformOperation } from './operation.ts'

export const RECOVERY_MINUTES = 30
/** For how long a notice's link can end everything with which the account can be used. */
export const SECURE_DAYS = 7
export const RECOVERY_CODES = 10
const CODE_LENGTH_MAX = 50
/** 32 random bytes in base64url. */
const SECRET_LENGTH = 43

export const RecoveryRequest = Type.Object({ email }, { $id: 'RecoveryRequest', additionalProperties: false })

export const RequestedRecovery = Type.Object(
  {
    linkMinutes: Type.Integer({ description: 'For how many minutes the link in the mail is valid.' }),
    message: Type.String({ description: 'What happens now, the same for every address.' }),
  },
  { $id: 'RequestedRecovery' },
)
export const requestedRecovery = {
  linkMinutes: RECOVERY_MINUTES,
  message: `If the address has an account, a link is on its way, unless one that was mailed in the last ${RECOVERY_MINUTES} minutes is still valid: no other is mailed until it has been used or has expired.`,
}

const secret = Type.Unsafe<string>({
  type: 'string',
  minLength: 1,
  maxLength: SECRET_LENGTH,
  description: 'The part of the mailed link that follows `#`.',
})
export const secretFault = `'secret' must have 1 to ${SECRET_LENGTH} characters.`
export const secretExample = 'q3fW0Yb1cN8kT5vR2mJ7xL4pZ9sD6hG0aE1uI8oC3yQ'

export const Recovery = Type.Object({ secret, password }, { $id: 'Recovery', additionalProperties: false })
export const MailedSecret = Type.Object({ secret }, { $id: 'MailedSecret', additionalProperties: false })

export const CodeRecovery = Type.Object(
  {
    email,
    code: Type.Unsafe<string>({
      type: 'string',
      minLength: 1,
      maxLength: CODE_LENGTH_MAX,
      description: 'One of the recovery codes. Case, spaces and hyphens are ignored.',
    }),
    password,
  },
  { $id: 'CodeRecovery', additionalProperties: false },
)
export const RecoveryCodes = Type.Object(
  {
    codes: Type.Array(Type.String(), {
      minItems: RECOVERY_CODES,
      maxItems: RECOVERY_CODES,
      description: 'Returned only in this response.',
    }),
  },
  { $id: 'RecoveryCodes' },
)
export const RecoveryCodesLeft = Type.Object(
  {
    left: Type.Integer({ description: 'How many codes have not been used.' }),
    createdAt: TimeOrNull,
    isMailAtRisk: Type.Boolean({
      description:
        'Whether the address of the account belongs to a domain of one of its projects: if that domain breaks, no mail arrives, and only a code helps.',
    }),
  },
  { $id: 'RecoveryCodesLeft' },
)
const code = '4h7k-p2xm-9qw3-tz6b'

export const requestRecovery = {
  operationId: 'requestRecovery',
  method: 'POST',
  path: '/recovery',
  tag: 'account',
  access: 'anyone',
  summary: 'Request a link to reset the password',
  description: `If the address has an account, a link is mailed to it, unless one that was mailed in the last ${RECOVERY_MINUTES} minutes is still valid: requests of strangers neither fill the mailbox nor keep its owner from having a link that works. If an account had the address until a change that can still be undone, the link that undoes it is mailed again. The response is the same for every address.`,
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
    example: requestedRecovery,
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
    'The link works once, for 30 minutes. Every session ends, and all access tokens, passkeys, recovery codes and links that give access to the account are removed; everything is rejected everywhere within a second. Links of notices, and those that undo a change of the address, still work. Does not sign in.',
  parameters: {},
  body: {
    schema: Recovery,
    faults: {
      secret: secretFault,
      password: passwordFault('password'),
    },
    examples: {
      one: {
        summary: 'A new password',
        value: { secret: secretExample, password: 'a much longer sentence' },
      },
    },
  },
  success: { status: 204, description: 'Set.', headers: [] },
  otherStatuses: [...anyone, 404],
} as const satisfies PlatformOperation

export const recoverWithCode = {
  operationId: 'recoverWithCode',
  method: 'POST',
  path: '/recovery/code',
  tag: 'account',
  access: 'anyone',
  summary: 'Set a new password with a recovery code',
  description:
    'Has the effects of a mailed link, without mail: every session, access token, passkey and recovery code of the account ends, and every link that gives access. Does not sign in.',
  parameters: {},
  body: {
    schema: CodeRecovery,
    faults: {
      email: emailFault,
      code: `'code' must have 1 to ${CODE_LENGTH_MAX} characters.`,
      password: passwordFault('password'),
    },
    examples: {
      one: {
        summary: 'A new password',
        value: { email: 'mia@happy-paws.example', code, password: 'a much longer sentence' },
      },
    },
  },
  success: { status: 204, description: 'Set.', headers: [] },
  otherStatuses: [...anyone, 401],
} as const satisfies PlatformOperation

export const secureAccount = {
  operationId: 'secureAccount',
  method: 'POST',
  path: '/recovery/secure',
  tag: 'account',
  access: 'anyone',
  summary: 'End everything with which the account can be used',
  description: `For a person who gets a notice of a change that was not theirs: the link in the notice works once, for ${SECURE_DAYS} days. The password is removed, every session ends, and all access tokens, passkeys, recovery codes and links that give access are removed. If the address of the account was changed after the notice, and the change can still be undone, the account has the address again to which the notice was mailed. A link to a new password is mailed there.`,
  parameters: {},
  body: {
    schema: MailedSecret,
    faults: { secret: secretFault },
    examples: { one: { summary: 'This was not me', value: { secret: secretExample } } },
  },
  success: { status: 204, description: 'Ended.', headers: [] },
  otherStatuses: [...anyone, 404, 409],
} as const satisfies PlatformOperation

export const getRecoveryCodes = {
  operationId: 'getRecoveryCodes',
  method: 'GET',
  path: '/account/recovery-codes',
  tag: 'account',
  access: 'account',
  summary: 'Count the recovery codes',
  description: 'How many recovery codes are left; the codes themselves cannot be read again.',
  parameters: {},
  success: {
    status: 200,
    description: 'How many are left.',
    schema: RecoveryCodesLeft,
    headers: ['ETag'],
    example: { left: RECOVERY_CODES, createdAt: '2026-11-14T22:00:00Z', isMailAtRisk: false },
  },
  otherStatuses: signedIn,
} as const satisfies PlatformOperation

export const createRecoveryCodes = {
  operationId: 'createRecoveryCodes',
  method: 'POST',
  path: '/account/recovery-codes',
  tag: 'account',
  access: 'account',
  recent: true,
  summary: 'Create recovery codes',
  description: `Returns ${RECOVERY_CODES} codes and ends earlier ones. Any of them sets a new password, together with the email address of the account; all of them end then.`,
  parameters: {},
  success: {
    status: 201,
    description: 'The codes, returned only once.',
    schema: RecoveryCodes,
    headers: [],
    example: { codes: Array.from({ length: RECOVERY_CODES }, () => code) },
  },
  otherStatuses: signedIn,
} as const satisfies PlatformOperation

export const recoveryOperations: readonly PlatformOperation[] = [
  requestRecovery,
  recoverAccount,
  recoverWithCode,
  secureAccount,
  getRecoveryCodes,
  createRecoveryCodes,
]
