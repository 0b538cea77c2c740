// Operations for signing in with a mailed link: for people whose password is not accepted on a new device for a while,
// because strangers have guessed at it. No response tells whether an address has an account.

import { Type } from 'typebox'
import { Account, account, email, emailFault } from './accounts.ts'
import { anyone, type PlatformOperation } from './operation.ts'
import { MailedSecret, secretExample, secretFault } from './recovery.ts'

export const SIGN_IN_LINK_MINUTES = 15

export const SignInLinkRequest = Type.Object({ email }, { $id: 'SignInLinkRequest', additionalProperties: false })

export const RequestedSignInLink = Type.Object(
  { linkMinutes: Type.Integer({ description: 'For how many minutes the link in the mail is valid.' }) },
  { $id: 'RequestedSignInLink' },
)

export const requestSignInLink = {
  operationId: 'requestSignInLink',
  method: 'POST',
  path: '/sign-in-links',
  tag: 'account',
  access: 'anyone',
  summary: 'Request a link that signs in',
  description: `If the address has an account, a link is mailed to it. The response is the same if it has none. While a link that was mailed in the last ${SIGN_IN_LINK_MINUTES} minutes is valid, no other is mailed.`,
  parameters: {},
  body: {
    schema: SignInLinkRequest,
    faults: { email: emailFault },
    examples: { one: { summary: 'A link', value: { email: 'mia@happy-paws.example' } } },
  },
  success: {
    status: 202,
    description: 'Accepted.',
    schema: RequestedSignInLink,
    headers: [],
    example: { linkMinutes: SIGN_IN_LINK_MINUTES },
  },
  otherStatuses: [...anyone, 409],
} as const satisfies PlatformOperation

export const signInWithLink = {
  operationId: 'signInWithLink',
  method: 'POST',
  path: '/session/link',
  tag: 'account',
  access: 'anyone',
  summary: 'Sign in with a mailed link',
  description: `Starts a new session, as signing in with a password does. The link works once, for ${SIGN_IN_LINK_MINUTES} minutes. Passwords from new devices are accepted again afterwards, if too many wrong ones in a row had turned them off.`,
  parameters: {},
  body: {
    schema: MailedSecret,
    faults: { secret: secretFault },
    examples: { one: { summary: 'Sign in', value: { secret: secretExample } } },
  },
  success: { status: 200, description: 'The account.', schema: Account, headers: ['Set-Cookie'], example: account },
  otherStatuses: [...anyone, 404],
} as const satisfies PlatformOperation

export const signInLinkOperations: readonly PlatformOperation[] = [requestSignInLink, signInWithLink]
