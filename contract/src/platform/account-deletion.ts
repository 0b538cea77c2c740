// Operations that delete an account.

import { Type } from 'typebox'
import { signedIn, type PlatformOperation } from './operation.ts'

export const OwnedProject = Type.Object(
  { slug: Type.String(), name: Type.String() },
  { $id: 'OwnedProject', description: 'A project that would be left without an owner.' },
)
export const AccountDeletion = Type.Object(
  { blockedBy: Type.Array(OwnedProject, { description: 'Projects whose only owner the person is.' }) },
  { $id: 'AccountDeletion' },
)

export const getAccountDeletion = {
  operationId: 'getAccountDeletion',
  method: 'GET',
  path: '/account/deletion',
  tag: 'account',
  access: 'account',
  summary: 'Check whether the account can be deleted',
  description: 'Lists the projects that would be left without an owner.',
  parameters: {},
  success: {
    status: 200,
    description: 'What stands in the way.',
    schema: AccountDeletion,
    headers: ['ETag'],
    example: { blockedBy: [{ slug: 'happy-paws', name: 'Happy Paws' }] },
  },
  otherStatuses: signedIn,
} as const satisfies PlatformOperation

export const deleteAccount = {
  operationId: 'deleteAccount',
  method: 'DELETE',
  path: '/account',
  tag: 'account',
  access: 'account',
  recent: true,
  summary: 'Delete the account',
  description:
    'The person leaves all projects, and name and address are erased; audit events keep the identifier alone. Not possible while the person is the only owner of a project. Cannot be undone.',
  parameters: {},
  success: { status: 204, description: 'Deleted.', headers: ['Set-Cookie'] },
  otherStatuses: [...signedIn, 409],
} as const satisfies PlatformOperation

export const accountDeletionOperations: readonly PlatformOperation[] = [getAccountDeletion, deleteAccount]
