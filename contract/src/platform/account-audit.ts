// Audit events of an account: what happened to it, on what device and from where.

import { Type, type Static } from 'typebox'
import { Time, textOrNull } from './accounts.ts'
import { signedIn, type PlatformOperation } from './operation.ts'

export const EVENTS_MAX = 100

export const accountActions = [
  'signed_up',
  'signed_in',
  'signed_in_new_device',
  'reauthenticated',
  'signed_out',
  'session_ended',
  'name_changed',
  'password_changed',
  'password_reset',
  'recovery_codes_created',
  'recovery_code_used',
  'passkey_added',
  'passkey_removed',
  'access_token_created',
  'access_token_revoked',
  'recovery_link_created',
  'account_secured',
  'email_change_requested',
  'email_verified',
  'email_verified_by_operator',
  'email_changed',
  'email_moved',
  'email_change_undone',
  'account_deleted',
] as const
export type AccountAction = (typeof accountActions)[number]

export const AccountEvent = Type.Object(
  {
    id: Type.String(),
    at: Time,
    action: Type.Unsafe<AccountAction>({ type: 'string', enum: [...accountActions] }),
    actor: Type.Unsafe<'person' | 'operator' | 'visitor'>({
      type: 'string',
      enum: ['person', 'operator', 'visitor'],
      description: 'The signed-in person, an operator of the installation, or a visitor with a mailed link or a code.',
    }),
    device: textOrNull('Browser and operating system, as far as known: `Firefox on Windows`.'),
    addressGroup: textOrNull('IPv4 address, or the first half of an IPv6 address.'),
  },
  { $id: 'AccountEvent', description: 'Something that happened to the account.' },
)
export type AccountEvent = Static<typeof AccountEvent>
export const AccountEvents = Type.Array(AccountEvent, { $id: 'AccountEvents', maxItems: EVENTS_MAX })

export const listAccountEvents = {
  operationId: 'listAccountEvents',
  method: 'GET',
  path: '/account/audit',
  tag: 'account',
  access: 'account',
  summary: 'List the audit events of the account',
  description: `Sign-ins and changes of how the account can be signed in to, newest first, at most ${EVENTS_MAX}. Events are kept for one year.`,
  parameters: {},
  success: {
    status: 200,
    description: 'The events.',
    schema: AccountEvents,
    headers: ['ETag'],
    example: [
      {
        id: '1024',
        at: '2026-11-14T22:00:00Z',
        action: 'signed_in_new_device',
        actor: 'person',
        device: 'Firefox on Windows',
        addressGroup: '192.0.2.7',
      },
    ],
  },
  otherStatuses: signedIn,
} as const satisfies PlatformOperation

export const accountAuditOperations: readonly PlatformOperation[] = [listAccountEvents]
