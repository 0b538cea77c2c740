// Accounts: signing in and out, passwords, sessions, and personal access tokens for the command
// line.

import { Type, type Static } from 'typebox'
import { anyone, idParameter, signedIn, tokenScopes, type PlatformOperation, type TokenScope } from './operation.ts'
import { languages, type Language } from './site.ts'

export const EMAIL_LENGTH_MAX = 254
export const PASSWORD_LENGTH_MIN = 12
export const PASSWORD_LENGTH_MAX = 256

export const email = Type.Unsafe<string>({
  type: 'string',
  minLength: 3,
  maxLength: EMAIL_LENGTH_MAX,
  // Without control, format, unassigned, separator and default-ignorable characters.
  pattern: '^[^@\\p{C}\\p{Z}\\p{DI}]+@[^@\\p{C}\\p{Z}\\p{DI}]+$',
  description:
    'Email address with which the person signs in. Case is ignored. Blanks and characters that are not shown are rejected.',
})
export const password = Type.Unsafe<string>({
  type: 'string',
  minLength: PASSWORD_LENGTH_MIN,
  maxLength: PASSWORD_LENGTH_MAX,
  description:
    'Any characters, at least five different ones; longer is better. Common passwords are rejected, and those that consist of the address, the name or a project of the person.',
})
/** A password that is only compared has no requirement but a maximum length. */
export const knownPassword = Type.Unsafe<string>({ type: 'string', minLength: 1, maxLength: PASSWORD_LENGTH_MAX })
export const personName = Type.Unsafe<string>({
  type: 'string',
  minLength: 1,
  maxLength: 100,
  allOf: [{ pattern: '\\S' }, { pattern: '^[^\\u0000-\\u001F\\u007F]*$' }],
  description: 'Shown to other members.',
})
export const label = Type.Unsafe<string>({
  type: 'string',
  minLength: 1,
  maxLength: 100,
  allOf: [{ pattern: '\\S' }, { pattern: '^[^\\u0000-\\u001F\\u007F]*$' }],
  description: 'What it is for.',
})
export const Time = Type.Unsafe<string>({ type: 'string', format: 'date-time' })
export const TimeOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' })
export const textOrNull = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description })

export const emailFault = `'email' must be an email address of at most ${EMAIL_LENGTH_MAX} characters, without blanks and characters that are not shown.`
export const passwordFault = (field: string) =>
  `'${field}' must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters. Use a few words instead of one.`
export const knownPasswordFault = (field: string) => `'${field}' must have 1 to ${PASSWORD_LENGTH_MAX} characters.`
export const nameFault = "'name' must have 1 to 100 characters, not only white space and without control characters."
export const labelFault = "'label' must have 1 to 100 characters, not only white space and without control characters."

const accountLanguage = Type.Unsafe<Language>({
  type: 'string',
  enum: [...languages],
  description: 'Language of the mails to the person.',
})

const TIME_ZONE_LENGTH_MAX = 64
export const timeZoneFault = "'timeZone' must be a time zone such as Europe/Berlin."

export const Account = Type.Object(
  {
    id: Type.String({ description: 'Identifier of the person.' }),
    email,
    isVerified: Type.Boolean({ description: 'Whether the person has proved that the address is theirs.' }),
    name: personName,
    language: accountLanguage,
    timeZone: textOrNull('Time zone of times in mails about requests, such as `Europe/Berlin`; null for UTC.'),
    isReachable: Type.Boolean({
      description: 'False if mail to the address came back, so that none is sent until it is verified again.',
    }),
    createdAt: Time,
  },
  { $id: 'Account', description: 'A person who can sign in.' },
)
export type Account = Static<typeof Account>

export const account = {
  id: 'acc_3d2f8a1b6c7e',
  email: 'mia@happy-paws.example',
  isVerified: true,
  name: 'Mia',
  language: 'en',
  timeZone: 'Europe/Berlin',
  isReachable: true,
  createdAt: '2026-11-14T22:00:00Z',
}

export const Credentials = Type.Object(
  { email, password: knownPassword },
  { $id: 'Credentials', additionalProperties: false },
)
export const AccountChange = Type.Object(
  {
    name: Type.Optional(personName),
    language: Type.Optional(accountLanguage),
    timeZone: Type.Optional(
      Type.String({
        pattern: `^[A-Za-z][A-Za-z0-9_+/-]{0,${TIME_ZONE_LENGTH_MAX - 1}}$`,
        description: 'Name of a time zone, as the device of the person has it.',
      }),
    ),
  },
  { $id: 'AccountChange', additionalProperties: false },
)
export const PasswordChange = Type.Object(
  { current: knownPassword, next: password },
  { $id: 'PasswordChange', additionalProperties: false },
)

export const Session = Type.Object(
  {
    id: Type.String(),
    isCurrent: Type.Boolean({ description: 'Whether this is the session of this request.' }),
    device: textOrNull('Browser and operating system that started the session, as far as known: `Firefox on Windows`.'),
    createdAt: Time,
    seenAt: Time,
    expiresAt: Time,
  },
  { $id: 'Session', description: 'A session of the person.' },
)
export const Sessions = Type.Array(Session, { $id: 'Sessions', maxItems: 100 })

const tokenScopeList = Type.Unsafe<TokenScope[]>({
  type: 'array',
  items: { type: 'string', enum: [...tokenScopes] },
  minItems: 1,
  maxItems: tokenScopes.length,
  uniqueItems: true,
  description: 'What the token may be used for: reading, changing something, or both.',
})
export const AccessToken = Type.Object(
  {
    id: Type.String(),
    label,
    display: Type.String({ description: 'First and last characters, to tell tokens apart.' }),
    scopes: tokenScopeList,
    createdAt: Time,
    expiresAt: TimeOrNull,
    lastUsedAt: TimeOrNull,
  },
  { $id: 'AccessToken' },
)
export const AccessTokens = Type.Array(AccessToken, { $id: 'AccessTokens', maxItems: 100 })
export const FreshAccessToken = Type.Object(
  { ...AccessToken.properties, token: Type.String({ description: 'Returned only in this response.' }) },
  { $id: 'FreshAccessToken' },
)
export const NewAccessToken = Type.Object(
  {
    label,
    scopes: Type.Optional(Type.Unsafe<TokenScope[]>({ ...tokenScopeList, default: [...tokenScopes] })),
    expiresInDays: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 365, default: 90, description: 'Lifetime in days.' }),
    ),
  },
  { $id: 'NewAccessToken', additionalProperties: false },
)

const tokenExample = {
  id: 'pat_9c1e5f2a7b3d',
  label: 'My laptop',
  display: 'pets_pat_Ab3d…9xYz',
  scopes: ['read', 'write'],
  createdAt: '2026-11-14T22:00:00Z',
  expiresAt: '2027-02-12T22:00:00Z',
  lastUsedAt: null,
}

export const signIn = {
  operationId: 'signIn',
  method: 'POST',
  path: '/session',
  tag: 'account',
  access: 'anyone',
  summary: 'Sign in',
  description:
    'Starts a new session, whatever cookies the request carries. The response also sets a cookie by which the device is known at the next sign-in. On a known device, a session expires after 14 days of inactivity and after 90 days in any case; elsewhere after 30 minutes and 12 hours.',
  parameters: {},
  body: {
    schema: Credentials,
    faults: { email: emailFault, password: knownPasswordFault('password') },
    examples: {
      one: { summary: 'Sign in', value: { email: 'mia@happy-paws.example', password: 'seven otters juggle' } },
    },
  },
  success: { status: 200, description: 'The account.', schema: Account, headers: ['Set-Cookie'], example: account },
  otherStatuses: [...anyone, 401],
} as const satisfies PlatformOperation

export const getAccount = {
  operationId: 'getAccount',
  method: 'GET',
  path: '/account',
  tag: 'account',
  access: 'account',
  summary: 'Get the current account',
  description: 'The account of the session or of the token.',
  parameters: {},
  success: { status: 200, description: 'The account.', schema: Account, headers: ['ETag'], example: account },
  otherStatuses: signedIn,
} as const satisfies PlatformOperation

export const changeAccount = {
  operationId: 'changeAccount',
  method: 'PATCH',
  path: '/account',
  tag: 'account',
  access: 'account',
  summary: 'Change name, language or time zone',
  description:
    'Changes what is given: the name that other members see, the language of mails, and the time zone of times in them.',
  parameters: {},
  body: {
    schema: AccountChange,
    faults: {
      name: nameFault,
      language: `'language' must be one of ${languages.join(', ')}.`,
      timeZone: timeZoneFault,
    },
    examples: { one: { summary: 'Another name', value: { name: 'Mia M.' } } },
  },
  success: { status: 200, description: 'The account.', schema: Account, headers: [], example: account },
  otherStatuses: signedIn,
} as const satisfies PlatformOperation

export const changePassword = {
  operationId: 'changePassword',
  method: 'PUT',
  path: '/account/password',
  tag: 'account',
  access: 'account',
  summary: 'Change the password',
  description:
    'Ends every session of the account; the response sets the cookie of a new one. All access tokens are revoked, and links and address changes that were requested by mail end; passkeys and recovery codes are not affected.',
  parameters: {},
  body: {
    schema: PasswordChange,
    faults: { current: knownPasswordFault('current'), next: passwordFault('next') },
    examples: {
      one: { summary: 'A new one', value: { current: 'seven otters juggle', next: 'a much longer sentence' } },
    },
  },
  success: { status: 204, description: 'Changed.', headers: ['Set-Cookie'] },
  otherStatuses: signedIn,
} as const satisfies PlatformOperation

export const signOut = {
  operationId: 'signOut',
  method: 'DELETE',
  path: '/session',
  tag: 'account',
  access: 'account',
  summary: 'Sign out',
  description: 'Ends the current session; it is rejected everywhere within a second.',
  parameters: {},
  success: { status: 204, description: 'Signed out.', headers: ['Set-Cookie'] },
  otherStatuses: signedIn,
} as const satisfies PlatformOperation

export const listSessions = {
  operationId: 'listSessions',
  method: 'GET',
  path: '/sessions',
  tag: 'account',
  access: 'account',
  summary: 'List sessions',
  description: 'Active sessions, newest first, at most 100.',
  parameters: {},
  success: {
    status: 200,
    description: 'The sessions.',
    schema: Sessions,
    headers: ['ETag'],
    example: [
      {
        id: 'ses_1f2e3d4c5b6a',
        isCurrent: true,
        device: 'Firefox on Windows',
        createdAt: '2026-11-14T22:00:00Z',
        seenAt: '2026-11-14T22:05:00Z',
        expiresAt: '2026-11-15T10:00:00Z',
      },
    ],
  },
  otherStatuses: signedIn,
} as const satisfies PlatformOperation

export const endSession = {
  operationId: 'endSession',
  method: 'DELETE',
  path: '/sessions/{sessionId}',
  tag: 'account',
  access: 'account',
  summary: 'End a session',
  description: 'The session is rejected everywhere within a second.',
  parameters: { sessionId: idParameter('Identifier of the session.', 'ses_1f2e3d4c5b6a') },
  success: { status: 204, description: 'Ended.', headers: [] },
  otherStatuses: [...signedIn, 404],
} as const satisfies PlatformOperation

export const listAccessTokens = {
  operationId: 'listAccessTokens',
  method: 'GET',
  path: '/account/tokens',
  tag: 'account',
  access: 'account',
  summary: 'List personal access tokens',
  description: 'Active tokens, newest first.',
  parameters: {},
  success: {
    status: 200,
    description: 'The tokens.',
    schema: AccessTokens,
    headers: ['ETag'],
    example: [tokenExample],
  },
  otherStatuses: signedIn,
} as const satisfies PlatformOperation

export const createAccessToken = {
  operationId: 'createAccessToken',
  method: 'POST',
  path: '/account/tokens',
  tag: 'account',
  access: 'account',
  recent: true,
  summary: 'Create a personal access token',
  description:
    'For the command line and scripts. A token has the permissions of the person within its scopes, except for operations that require a recent sign-in, and for changing the password. At most 100 at a time.',
  parameters: {},
  body: {
    schema: NewAccessToken,
    faults: {
      label: labelFault,
      scopes: `'scopes' must be a list of different ones of ${tokenScopes.join(', ')}, and not empty.`,
      expiresInDays: "'expiresInDays' must be an integer from 1 to 365.",
    },
    examples: {
      full: { summary: 'Full access, for a laptop', value: { label: 'My laptop', expiresInDays: 90 } },
      readOnly: { summary: 'Read-only, for a report', value: { label: 'Weekly report', scopes: ['read'] } },
    },
  },
  success: {
    status: 201,
    description: 'The token, returned only once.',
    schema: FreshAccessToken,
    headers: [],
    example: { ...tokenExample, token: 'pets_pat_Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4f0A9xYz' },
  },
  otherStatuses: [...signedIn, 409],
} as const satisfies PlatformOperation

export const revokeAccessToken = {
  operationId: 'revokeAccessToken',
  method: 'DELETE',
  path: '/account/tokens/{tokenId}',
  tag: 'account',
  access: 'account',
  summary: 'Revoke a personal access token',
  description: 'The token is rejected everywhere within a second.',
  parameters: { tokenId: idParameter('Identifier of the token.', 'pat_9c1e5f2a7b3d') },
  success: { status: 204, description: 'Revoked.', headers: [] },
  otherStatuses: [...signedIn, 404],
} as const satisfies PlatformOperation

export const accountOperations: readonly PlatformOperation[] = [
  signIn,
  signOut,
  getAccount,
  changeAccount,
  changePassword,
  listSessions,
  endSession,
  listAccessTokens,
  createAccessToken,
  revokeAccessToken,
]
