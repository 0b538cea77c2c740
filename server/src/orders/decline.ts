// The reason with which a member declines a request, and the sentence to the visitor. The sentence goes into a mail under
// our sender, so it contains nothing that a mail program would show as a link. Pure.

import { declineFault } from '@petstore-platform/contract/platform/order-moves'
import type { OrderDecline } from '@petstore-platform/contract/platform/orders'
import { Refusal } from '../foundation/refusal.ts'
import { looksLikeAddress } from '../mail/linked-names.ts'

const control = /\p{Cc}/u

/** As it is stored, in one line; or a refusal. */
export function readDecline({ reason, text }: OrderDecline): OrderDecline {
  const line = text.replaceAll('\r\n', ' ').replaceAll('\n', ' ').trim()
  if (!line.isWellFormed() || control.test(line)) throw new Refusal('invalid_field', declineFault)
  if (looksLikeAddress(line)) {
    throw new Refusal(
      'address_in_name',
      'Your sentence contains what looks like an internet or email address, and mails to visitors contain none: no @, no "www.", and a space after each full stop.',
    )
  }
  return { reason, text: line }
}
