// Everything that can happen to an account, and the notice that tells its person. What changes how
// the account can be signed in to is never silent.

import type { AccountAction } from '@petstore-platform/contract/platform/account-audit'

export const noticeKindOf = {
  signed_up: 'silent',
  signed_in: 'silent',
  signed_in_new_device: 'new_sign_in',
  reauthenticated: 'silent',
  signed_out: 'silent',
  session_ended: 'silent',
  name_changed: 'silent',
  password_changed: 'password_changed',
  password_reset: 'password_reset',
  recovery_link_created: 'recovery_link_created',
  recovery_codes_created: 'recovery_codes_created',
  recovery_code_used: 'recovery_code_used',
  passkey_added: 'passkey_added',
  passkey_removed: 'passkey_removed',
  access_token_created: 'access_token_created',
  access_token_revoked: 'access_token_revoked',
  // Its person has just asked for it, and gets a link to a new password.
  account_secured: 'silent',
  // The link goes to the new address, and is no notice.
  email_change_requested: 'silent',
  email_verified: 'silent',
  email_verified_by_operator: 'email_verified',
  email_changed: 'email_changed',
  // No mail can reach the account any more; its pages tell it.
  email_moved: 'silent',
  // Its person has just asked for it, as above.
  email_change_undone: 'silent',
  // To the address that the account had; the account itself can no longer be asked for it.
  account_deleted: 'silent',
} as const satisfies Record<AccountAction, string>

/** The kinds of mail that tell a person what happened, at the address of the account. */
export type NoticeKind = Exclude<(typeof noticeKindOf)[AccountAction], 'silent' | 'email_changed'>

export const noticeKinds: readonly NoticeKind[] = [...new Set(Object.values(noticeKindOf))].filter(
  (kind) => kind !== 'silent' && kind !== 'email_changed',
)
