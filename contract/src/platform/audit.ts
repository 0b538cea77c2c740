// Audit events of a project: who did what, and when. An event is written in the transaction of
// its action, and is never changed.

import { Type } from 'typebox'
import { Int64 } from '../int64.ts'
import { cursor, limitOf } from '../parameters.ts'
import { textOrNull, Time } from './accounts.ts'
import { member, projectSlug, type PlatformOperation } from './operation.ts'

export const actorKinds = ['account', 'visitor', 'operator', 'petstore'] as const
export type ActorKind = (typeof actorKinds)[number]

/** Every action that is recorded. The server cannot record any other: its audit events have this type. */
export const auditActions = [
  'project_created',
  'project_renamed',
  'project_kind_set',
  'project_deleted',
  'project_suspended',
  'project_resumed',
  'project_restored',
  'project_held',
  'project_released',
  'project_erased',
  'plan_requested',
  'plan_declined',
  'plan_set',
  'owner_added',
  'visitor_mails_set',
  'member_changed',
  'member_removed',
  'invitation_created',
  'invitation_revoked',
  'invitation_accepted',
  'key_created',
  'key_rotated',
  'key_revoked',
  'animal_created',
  'animal_changed',
  'animal_deleted',
  'profile_changed',
  'photo_added',
  'photo_changed',
  'photo_deleted',
  'photos_ordered',
  'animal_status_set',
  'animal_statuses_set',
  'animals_changed',
  'category_created',
  'category_renamed',
  'category_deleted',
  'import_created',
  'import_started',
  'import_succeeded',
  'import_failed',
  'import_applied',
  'import_undo_started',
  'import_undone',
  'import_discarded',
  'order_placed',
  'order_contacted',
  'order_visit_set',
  'order_approved',
  'order_delivered',
  'order_declined',
  'order_withdrawn',
  'order_closed',
  'order_expired',
  'order_reopened',
  'order_undone',
  'order_held',
  'order_released',
  'order_noted',
  'order_erased',
  'request_settings_set',
  'site_changed',
  'logo_changed',
  'logo_removed',
  'deployment_created',
  'deployment_succeeded',
  'deployment_failed',
  'deployment_published',
  'domain_added',
  'domain_verified',
  'domain_moved',
  'domain_removed',
  'domain_shared',
  'domain_share_revoked',
  'primary_domain_chosen',
  'redirects_set',
] as const
export type AuditAction = (typeof auditActions)[number]

export const Actor = Type.Object(
  {
    kind: Type.Unsafe<ActorKind>({
      type: 'string',
      enum: [...actorKinds],
      description:
        'A person with an account; a visitor of the site; the operator of the installation; or Petstore, automatically.',
    }),
    id: textOrNull('Identifier of the account; null if it was not an account.'),
    name: textOrNull('Current name of the person; null if it was not an account.'),
  },
  { $id: 'Actor' },
)

export const AuditEntry = Type.Object(
  {
    id: Type.Unsafe<bigint>({ ...Int64 }),
    at: Time,
    actor: Actor,
    action: Type.Unsafe<AuditAction>({ type: 'string', enum: [...auditActions], description: 'What was done.' }),
    subject: Type.String({ description: 'What was affected: an identifier or a slug.' }),
    detail: Type.Record(Type.String(), Type.Unknown(), { description: 'Additional data about the event.' }),
  },
  { $id: 'AuditEntry', description: 'One audit event.' },
)
export const AuditEntries = Type.Array(AuditEntry, { $id: 'AuditEntries', maxItems: 100 })

export const listAudit = {
  operationId: 'listAudit',
  method: 'GET',
  path: '/projects/{project}/audit',
  tag: 'audit',
  access: 'admin',
  summary: 'List audit events',
  description: 'Newest first. Follow the `rel="next"` URL of the `Link` header until there is none.',
  parameters: { project: projectSlug, limit: limitOf('entries'), cursor },
  success: {
    status: 200,
    description: 'A page of audit events.',
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
