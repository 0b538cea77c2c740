// Who did what in a project, and when. Entries are written with what was done,
// and are never changed.

import { Type } from 'typebox'
import { Int64 } from '../int64.ts'
import { cursor, limitOf } from '../parameters.ts'
import { Time } from './accounts.ts'
import { member, projectSlug, type PlatformOperation } from './operation.ts'

export const actorKinds = ['account', 'visitor', 'operator', 'petstore'] as const
export type ActorKind = (typeof actorKinds)[number]

const textOrNull = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description })

export const Actor = Type.Object(
  {
    kind: Type.Unsafe<ActorKind>({
      type: 'string',
      enum: [...actorKinds],
      description: 'A person with an account; a visitor of the site; who runs the installation; or Petstore by itself.',
    }),
    id: textOrNull('Identifier of the account; null if it was none.'),
    name: textOrNull('What the person is called now; null if it was no account.'),
  },
  { $id: 'Actor' },
)

export const AuditEntry = Type.Object(
  {
    id: Type.Unsafe<bigint>({ ...Int64 }),
    at: Time,
    actor: Actor,
    action: Type.String({ pattern: '^[a-z]+(_[a-z]+)*$', description: 'What was done, such as `key_revoked`.' }),
    subject: Type.String({ description: 'To what: an identifier, or a slug.' }),
    detail: Type.Record(Type.String(), Type.Unknown(), { description: 'What else is to be said of it.' }),
  },
  { $id: 'AuditEntry', description: 'One deed.' },
)
export const AuditEntries = Type.Array(AuditEntry, { $id: 'AuditEntries', maxItems: 100 })

export const listAudit = {
  operationId: 'listAudit',
  method: 'GET',
  path: '/projects/{project}/audit',
  tag: 'audit',
  access: 'admin',
  summary: 'List who did what',
  description: 'Newest first. Follow the `rel="next"` URL of the `Link` header until there is none.',
  parameters: { project: projectSlug, limit: limitOf('entries'), cursor },
  success: {
    status: 200,
    description: 'A page of entries.',
    schema: AuditEntries,
    headers: ['Link', 'ETag'],
    example: [
      {
        id: 1044,
        at: '2026-11-14T22:00:00Z',
        actor: { kind: 'account', id: 'acc_3d2f8a1b6c7e', name: 'Mia' },
        action: 'key_revoked',
        subject: 'key_5f0c1d2e3b4a69788796a5b4',
        detail: { label: 'Stock system' },
      },
    ],
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const auditOperations: readonly PlatformOperation[] = [listAudit]
