// Signing up: a link is mailed to the address, and only with it does an account come into being. So
// an address can be neither squatted nor probed. Without mail, accounts come from links of the
// operator, and from invitations to a project.

import { Type } from 'typebox'
import { Account, account, email, emailFault, nameFault, password, passwordFault, personName } from './accounts.ts'
import { anyone, type PlatformOperation } from './operation.ts'
import { secretExample } from './recovery.ts'

export const SIGN_UP_HOURS = 24
export const signUpModes = ['open', 'invited', 'closed'] as const
/** Any person; those whom an operator or a member has invited; or none. */
export type SignUpMode = (typeof signUpModes)[number]

/** A link has 43 characters behind the `#`. */
const SECRET_LENGTH_MAX = 100

export const SignUp = Type.Object(
  {
    mode: Type.Unsafe<SignUpMode>({
      type: 'string',
      enum: [...signUpModes],
      description: 'Who may sign up: any person, invited people only, or no one.',
    }),
    sendsMail: Type.Boolean({
      description: 'Whether a link is mailed. Otherwise accounts come from links that people pass on.',
    }),
  },
  { $id: 'SignUp', description: 'How accounts are created in this installation.' },
)
export const SignUpRequest = Type.Object({ email }, { $id: 'SignUpRequest', additionalProperties: false })
export const RequestedSignUp = Type.Object(
  { linkHours: Type.Integer({ description: 'For how many hours the link in the mail is valid.' }) },
  { $id: 'RequestedSignUp' },
)
export const NewAccount = Type.Object(
  {
    secret: Type.Unsafe<string>({
      type: 'string',
      minLength: 1,
      maxLength: SECRET_LENGTH_MAX,
      description: 'The part of a sign-up link, or of the link of an invitation, that follows `#`.',
    }),
    email: Type.Optional(email),
    password,
    name: personName,
  },
  { $id: 'NewAccount', additionalProperties: false },
)

export const getSignUp = {
  operationId: 'getSignUp',
  method: 'GET',
  path: '/sign-up',
  tag: 'account',
  access: 'anyone',
  summary: 'Get how accounts are created',
  description: 'Who may sign up in this installation, and whether it sends mail.',
  parameters: {},
  success: {
    status: 200,
    description: 'How accounts are created.',
    schema: SignUp,
    headers: ['ETag'],
    example: { mode: 'open', sendsMail: true },
  },
  otherStatuses: anyone,
} as const satisfies PlatformOperation

export const requestSignUp = {
  operationId: 'requestSignUp',
  method: 'POST',
  path: '/sign-up',
  tag: 'account',
  access: 'anyone',
  summary: 'Request a link to sign up',
  description: `Mails a link with which an account is created, valid for ${SIGN_UP_HOURS} hours. The response is the same for every address: an address that has an account gets a mail that says so, and one that may not sign up gets none. At most 3 mails an hour and 10 a day are sent to an address.`,
  parameters: {},
  body: {
    schema: SignUpRequest,
    faults: { email: emailFault },
    examples: { one: { summary: 'A shop owner', value: { email: 'mia@happy-paws.example' } } },
  },
  success: {
    status: 202,
    description: 'Accepted.',
    schema: RequestedSignUp,
    headers: [],
    example: { linkHours: SIGN_UP_HOURS },
  },
  otherStatuses: [...anyone, 409],
} as const satisfies PlatformOperation

export const signUp = {
  operationId: 'signUp',
  method: 'POST',
  path: '/accounts',
  tag: 'account',
  access: 'anyone',
  summary: 'Sign up',
  description:
    'Creates an account with the address to which the link was sent, and signs it in; the response sets the session cookie. If an account with the address exists that never proved it, that account loses the address. The secret of an invitation that was not mailed proves no address: `email` is then required, and not allowed otherwise.',
  parameters: {},
  body: {
    schema: NewAccount,
    faults: {
      secret: `'secret' must have 1 to ${SECRET_LENGTH_MAX} characters.`,
      email: emailFault,
      password: passwordFault('password'),
      name: nameFault,
    },
    examples: {
      one: {
        summary: 'A shop owner',
        value: { secret: secretExample, password: 'seven otters juggle', name: 'Mia' },
      },
    },
  },
  success: { status: 201, description: 'The account.', schema: Account, headers: ['Set-Cookie'], example: account },
  otherStatuses: [...anyone, 404, 409],
} as const satisfies PlatformOperation

export const signUpOperations: readonly PlatformOperation[] = [getSignUp, requestSignUp, signUp]
