// To which address an account is given back by a link that only restores it: the one in a notice, or the one that undoes a
// change of the address. Pure.
//
// It is the address to which the link was mailed, as long as the account has it, or lost it by a change that can still be
// undone; that change and all later ones are undone. So the earliest address wins: a thief who moved an account, however
// often, cannot move it back after its owner.

import { digestOf } from '../../foundation/key-format.ts'
import { addressKey } from '../../foundation/smtp/address.ts'

export type Restoration = {
  email: string
  /** The changes that are undone. */
  undone: string[]
  /** Addresses, by digest, whose links still restore the account: changes from them can be undone too. */
  earlier: Buffer[]
}

/**
 * `changes`: those that can be undone, oldest first. `mailedTo`: the address, by digest; null if an earlier release mailed
 * the link, which then restores the earliest address. Undefined if the link restores nothing any more.
 */
export function restorationOf(
  current: string,
  changes: readonly { id: string; oldEmail: string }[],
  mailedTo: Buffer | null,
): Restoration | undefined {
  const held = [...changes.map(({ oldEmail }) => oldEmail), current]
  const digests = held.map((email) => digestOf(addressKey(email)))
  const at = mailedTo === null ? 0 : digests.findIndex((digest) => digest.equals(mailedTo))
  const email = held[at]
  if (email === undefined) return undefined
  return { email, undone: changes.slice(at).map(({ id }) => id), earlier: digests.slice(0, at) }
}
