// Formats one audit event of an account as text: what happened, and where. An action that an older dashboard does
// not know yet is shown by its code.

import type { AccountAction, AccountEvent } from '@petstore-platform/contract/platform/account-audit'
import { account } from '../texts/en/account.ts'

const { history: words } = account
const actions: Readonly<Record<AccountAction, string>> = words.actions

// The compiler knows every action of this version, not those of a newer server.
export const whatHappened = ({ action }: Pick<AccountEvent, 'action'>): string =>
  (actions as Partial<typeof actions>)[action] ?? action

/** The device and the address, as far as known; for an operator neither is recorded. */
export function whereHappened({ actor, device, addressGroup }: Omit<AccountEvent, 'id' | 'at' | 'action'>): string {
  if (actor === 'operator') return words.operator
  return [device ?? words.unknownDevice, ...(addressGroup === null ? [] : [addressGroup])].join(', ')
}
