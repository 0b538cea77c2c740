// Operations that change the address of an account, or prove it: a link is mailed to the new
// address, and only its use changes anything. The old address can undo the change.

import { Type } from 'typebox'
import { email, emailFault } from './accounts.ts'
import { anyone, signedIn, type PlatformOperation } from './operation.ts'
import { MailedSecret, secretExample, secretFault } from './recovery.ts'

export const CONFIRM_HOURS = 24
export const UNDO_DAYS = 7

export const EmailChange = Type.Object({ email }, { $id: 'EmailChange', additionalProperties: false })
export const RequestedEmailChange = Type.Object(
  { linkHours: Type.Integer({ description: 'For how many hours the link in the mail is valid.' }) },
  { $id: 'RequestedEmailChange' },
)

export const requestEmailChange = {
  operationId: 'requestEmailChange',
  method: 'POST',
  path: '/account/email',
  tag: 'account',
  access: 'account',
  recent: true,
  summary: 'Request a change of the email address',
  description:
    'Mails a link to the new address; the address changes when the link is used. With the current address, the link proves that the address belongs to the person. The response is the same if another account has the address; no mail is sent then. Ends earlier requests.',
  parameters: {},
  body: {
    schema: EmailChange,
    faults: { email: emailFault },
    examples: { one: { summary: 'Another address', value: { email: 'mia@willow.example' } } },
  },
  success: {
    status: 202,
    description: 'Accepted.',
    schema: RequestedEmailChange,
    headers: [],
    example: { linkHours: CONFIRM_HOURS },
  },
  otherStatuses: [...signedIn, 409],
} as const satisfies PlatformOperation

const body = (summary: string) =>
  ({
    schema: MailedSecret,
    faults: { secret: secretFault },
    examples: { one: { summary, value: { secret: secretExample } } },
  }) as const

export const confirmEmailChange = {
  operationId: 'confirmEmailChange',
  method: 'POST',
  path: '/recovery/email/confirmation',
  tag: 'account',
  access: 'anyone',
  summary: 'Confirm an email address with a mailed link',
  description: `The link works once, for ${CONFIRM_HOURS} hours. The account then has the address, and the address is verified. The old address gets a notice, and can undo it for ${UNDO_DAYS} days.`,
  parameters: {},
  body: body('From the mail to the new address'),
  success: { status: 204, description: 'Confirmed.', headers: [] },
  otherStatuses: [...anyone, 404, 409],
} as const satisfies PlatformOperation

export const undoEmailChange = {
  operationId: 'undoEmailChange',
  method: 'POST',
  path: '/recovery/email/undo',
  tag: 'account',
  access: 'anyone',
  summary: 'Undo a change of the email address',
  description: `The link in the mail to the old address works once, for ${UNDO_DAYS} days. This change and all later ones are undone: the account has its old address again, and everything with which it can be used ends, as with *End everything with which the account can be used*. A link to a new password is mailed to the old address.`,
  parameters: {},
  body: body('From the mail to the old address'),
  success: { status: 204, description: 'Undone.', headers: [] },
  otherStatuses: [...anyone, 404, 409],
} as const satisfies PlatformOperation

export const emailChangeOperations: readonly PlatformOperation[] = [
  requestEmailChange,
  confirmEmailChange,
  undoEmailChange,
]
