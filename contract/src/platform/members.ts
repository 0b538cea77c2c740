// Members of a project, and invitations to it. An invitation is mailed to one address, and only
// that address can accept it. Without mail its link is returned once, and passed on by other means;
// its holder becomes a member, so it cannot make an owner.

import { Type } from 'typebox'
import { Time, email, emailFault } from './accounts.ts'
import type { Parameter } from '../parameters.ts'
import {
  anyone,
  idParameter,
  member,
  projectSlug,
  roles,
  signedIn,
  type PlatformOperation,
  type Role,
} from './operation.ts'

/** No plan includes more. */
export const MEMBERS_MAX = 100
export const INVITATIONS_MAX = 100
export const INVITATION_DAYS = 7

const role = Type.Unsafe<Role>({ type: 'string', enum: [...roles] })
const roleFault = `'role' must be one of ${roles.join(', ')}.`
const note = Type.Unsafe<string>({
  type: 'string',
  maxLength: 100,
  pattern: '^[^\\u0000-\\u001F\\u007F]*$',
  description: 'Whom it is for, to tell invitations apart.',
})
const noteFault = "'note' must have at most 100 characters, without control characters."

export const Member = Type.Object(
  {
    id: Type.String({ description: 'Identifier of the person.' }),
    name: Type.String(),
    email: Type.String(),
    role,
    addedAt: Time,
  },
  { $id: 'Member', description: 'A person who works in the project.' },
)
export const Members = Type.Array(Member, { $id: 'Members', maxItems: MEMBERS_MAX })
/** What becomes of the active API keys that a person created who may no longer create any. */
const keyChoices = ['keep', 'revoke'] as const
export type KeyChoice = (typeof keyChoices)[number]
const keyChoice = { type: 'string', enum: [...keyChoices] } as const
const KEY_CHOICE =
  'Whether the active API keys that the person created stay valid. There is no default: revoking them may stop a program, and keeping them may leave a former member access. Required if there are any.'

export const MemberChange = Type.Object(
  { role, keys: Type.Optional(Type.Unsafe<KeyChoice>({ ...keyChoice, description: KEY_CHOICE })) },
  { $id: 'MemberChange', additionalProperties: false },
)

export const Invitation = Type.Object(
  {
    id: Type.String(),
    email: Type.Unsafe<string>({ ...email, description: 'The address of the person who is invited.' }),
    isMailed: Type.Boolean({
      description: 'Whether it is mailed to the address, which alone can accept it. Otherwise its link is passed on.',
    }),
    role,
    note,
    createdBy: Type.String({ description: 'Identifier of the person who created it.' }),
    createdAt: Time,
    expiresAt: Time,
  },
  { $id: 'Invitation', description: 'With it, one person can become a member.' },
)
export const Invitations = Type.Array(Invitation, { $id: 'Invitations', maxItems: INVITATIONS_MAX })
export const FreshInvitation = Type.Object(
  {
    ...Invitation.properties,
    link: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'uri',
      description: 'Where the person accepts it; null if it is mailed. Returned only in this response.',
    }),
  },
  { $id: 'FreshInvitation' },
)
export const NewInvitation = Type.Object(
  { email, role, note: Type.Optional(note) },
  { $id: 'NewInvitation', additionalProperties: false },
)
export const InvitationSecret = Type.Object(
  { secret: Type.Unsafe<string>({ type: 'string', minLength: 1, maxLength: 100 }) },
  { $id: 'InvitationSecret', additionalProperties: false },
)
export const OpenInvitation = Type.Object(
  {
    projectName: Type.String({ description: 'Name of the project.' }),
    email,
    isMailed: Invitation.properties.isMailed,
    role,
    invitedBy: Type.String({ description: 'Name of the person who created it.' }),
    expiresAt: Time,
  },
  { $id: 'OpenInvitation', description: 'An invitation, as seen by anyone who has its link.' },
)
export const Membership = Type.Object(
  { slug: Type.String({ description: 'Slug of the project.' }), role },
  { $id: 'Membership', description: 'The membership of the caller in a project.' },
)

const memberExample = {
  id: 'acc_3d2f8a1b6c7e',
  name: 'Mia',
  email: 'mia@happy-paws.example',
  role: 'owner',
  addedAt: '2026-11-14T22:00:00Z',
}
const invitationExample = {
  id: 'inv_5b7d9f1a3c2e',
  email: 'jonas@happy-paws.example',
  isMailed: true,
  role: 'viewer',
  note: 'Jonas, weekends',
  createdBy: 'acc_3d2f8a1b6c7e',
  createdAt: '2026-11-14T22:00:00Z',
  expiresAt: '2026-11-21T22:00:00Z',
}
const secretExample = 'q3Zt0s1Xc5mB7uVw9yA2dF4gH6jK8lN0pR2tT4vX6z8'
const keysQuery: Parameter<KeyChoice, 'query'> = {
  in: 'query',
  description: KEY_CHOICE,
  schema: keyChoice,
  refusal: 'invalid_parameter',
}
const accountId = idParameter('Identifier of the person.', memberExample.id)

export const listMembers = {
  operationId: 'listMembers',
  method: 'GET',
  path: '/projects/{project}/members',
  tag: 'members',
  access: 'viewer',
  summary: 'List members',
  description: `The members of the project, in the order in which they joined, at most ${MEMBERS_MAX}.`,
  parameters: { project: projectSlug },
  success: { status: 200, description: 'The members.', schema: Members, headers: ['ETag'], example: [memberExample] },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const changeMember = {
  operationId: 'changeMember',
  method: 'PATCH',
  path: '/projects/{project}/members/{accountId}',
  tag: 'members',
  access: 'owner',
  recent: true,
  summary: "Change a member's role",
  description:
    'Demoting a member revokes the open invitations they created. The last owner cannot be demoted. For a role that may not manage API keys, `keys` says what becomes of those that the member created; without it the response is 409 `key_choice_required` if some are active.',
  parameters: { project: projectSlug, accountId },
  body: {
    schema: MemberChange,
    faults: { role: roleFault, keys: "'keys' must be one of keep, revoke." },
    examples: { one: { summary: 'Make an admin', value: { role: 'admin' } } },
  },
  success: { status: 200, description: 'The member.', schema: Member, headers: [], example: memberExample },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const removeMember = {
  operationId: 'removeMember',
  method: 'DELETE',
  path: '/projects/{project}/members/{accountId}',
  tag: 'members',
  access: 'viewer',
  recent: true,
  summary: 'Remove a member',
  description:
    'Owners can remove any member, and every member can leave. The open invitations that the person created are revoked. The last owner cannot be removed. `keys` says what becomes of the active API keys that the person created; without it the response is 409 `key_choice_required` if there are any. Revoking them requires the role `admin`.',
  parameters: { project: projectSlug, accountId, keys: keysQuery },
  success: { status: 204, description: 'Removed.', headers: [] },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const listInvitations = {
  operationId: 'listInvitations',
  method: 'GET',
  path: '/projects/{project}/invitations',
  tag: 'members',
  access: 'admin',
  summary: 'List invitations',
  description: `Open invitations, newest first, at most ${INVITATIONS_MAX}.`,
  parameters: { project: projectSlug },
  success: {
    status: 200,
    description: 'The invitations.',
    schema: Invitations,
    headers: ['ETag'],
    example: [invitationExample],
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const createInvitation = {
  operationId: 'createInvitation',
  method: 'POST',
  path: '/projects/{project}/invitations',
  tag: 'members',
  access: 'admin',
  recent: true,
  summary: 'Create an invitation',
  description: `Mails an invitation that the address can accept within ${INVITATION_DAYS} days. In an installation without mail, its link is returned instead, and cannot make an owner. Only owners can invite owners.`,
  parameters: { project: projectSlug },
  body: {
    schema: NewInvitation,
    faults: { email: emailFault, role: roleFault, note: noteFault },
    examples: {
      one: { summary: 'A helper', value: { email: invitationExample.email, role: 'viewer', note: 'Jonas, weekends' } },
    },
  },
  success: {
    status: 201,
    description: 'The invitation.',
    schema: FreshInvitation,
    headers: [],
    example: { ...invitationExample, link: null },
  },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const revokeInvitation = {
  operationId: 'revokeInvitation',
  method: 'DELETE',
  path: '/projects/{project}/invitations/{invitationId}',
  tag: 'members',
  access: 'admin',
  summary: 'Revoke an invitation',
  description: 'The link no longer works.',
  parameters: {
    project: projectSlug,
    invitationId: idParameter('Identifier of the invitation.', invitationExample.id),
  },
  success: { status: 204, description: 'Revoked.', headers: [] },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const getInvitation = {
  operationId: 'getInvitation',
  method: 'POST',
  path: '/invitations/show',
  tag: 'members',
  access: 'anyone',
  summary: 'Show an invitation',
  description:
    'Shows an open invitation to a person who has its link, before they sign in or sign up; it changes nothing. The secret is in the body, because addresses stay in logs. An invitation that was accepted or revoked or has expired is not found.',
  parameters: {},
  body: {
    schema: InvitationSecret,
    faults: { secret: "'secret' must have 1 to 100 characters." },
    examples: { one: { summary: 'From the link', value: { secret: secretExample } } },
  },
  success: {
    status: 200,
    description: 'The invitation.',
    schema: OpenInvitation,
    headers: [],
    example: {
      projectName: 'Happy Paws',
      email: invitationExample.email,
      isMailed: true,
      role: 'viewer',
      invitedBy: 'Mia',
      expiresAt: invitationExample.expiresAt,
    },
  },
  otherStatuses: [...anyone, 404],
} as const satisfies PlatformOperation

export const acceptInvitation = {
  operationId: 'acceptInvitation',
  method: 'POST',
  path: '/invitations/accept',
  tag: 'members',
  access: 'account',
  summary: 'Accept an invitation',
  description:
    'Works once. A mailed invitation can be accepted only by the account that has its address and has verified it. An existing member keeps the higher of the two roles. An invitation that was accepted or revoked or has expired is not found.',
  parameters: {},
  body: {
    schema: InvitationSecret,
    faults: { secret: "'secret' must have 1 to 100 characters." },
    examples: { one: { summary: 'From the link', value: { secret: secretExample } } },
  },
  success: {
    status: 200,
    description: 'The project, and the role in it.',
    schema: Membership,
    headers: [],
    example: { slug: 'happy-paws', role: 'viewer' },
  },
  otherStatuses: [...signedIn, 404],
} as const satisfies PlatformOperation

export const memberOperations: readonly PlatformOperation[] = [
  listMembers,
  changeMember,
  removeMember,
  listInvitations,
  createInvitation,
  revokeInvitation,
  getInvitation,
  acceptInvitation,
]
