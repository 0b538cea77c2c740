// The sign before each event of the security history. An action that the contract adds does not compile until it has
// one; one that this version does not know has a plain sign.

import type { AccountAction } from '@petstore-platform/contract/platform/account-audit'
import {
  CircleDot,
  FingerprintPattern,
  KeyRound,
  LifeBuoy,
  LogIn,
  LogOut,
  Mail,
  ShieldAlert,
  ShieldCheck,
  Terminal,
  UserRound,
  type LucideIcon,
} from 'lucide-react'

const icons: Readonly<Record<AccountAction, LucideIcon>> = {
  signed_up: UserRound,
  signed_in: LogIn,
  signed_in_new_device: LogIn,
  reauthenticated: ShieldCheck,
  signed_out: LogOut,
  session_ended: LogOut,
  name_changed: UserRound,
  password_changed: KeyRound,
  password_reset: KeyRound,
  recovery_codes_created: LifeBuoy,
  recovery_code_used: LifeBuoy,
  passkey_added: FingerprintPattern,
  passkey_removed: FingerprintPattern,
  access_token_created: Terminal,
  access_token_revoked: Terminal,
  account_secured: ShieldAlert,
  recovery_link_created: LifeBuoy,
  email_change_requested: Mail,
  email_verified: Mail,
  email_verified_by_operator: Mail,
  email_changed: Mail,
  email_moved: Mail,
  email_change_undone: Mail,
  account_deleted: UserRound,
}

export const eventIcon = (action: AccountAction): LucideIcon => (icons as Partial<typeof icons>)[action] ?? CircleDot
