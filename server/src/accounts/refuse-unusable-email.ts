// The addresses that a person can enter for an account, a link or an invitation. The schema of the contract judges the
// characters as they were typed; this also judges what normalisation makes of them, and how long it becomes.

import { emailFault } from '@petstore-platform/contract/platform/accounts'
import { Refusal } from '../foundation/refusal.ts'
import { isAddress } from '../foundation/smtp/address.ts'

export function refuseUnusableEmail(email: string): void {
  if (!isAddress(email)) throw new Refusal('invalid_field', emailFault)
}
