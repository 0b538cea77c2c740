// Validates a note of a member. Surrounding white space is removed.

import { noteFault } from '@petstore-platform/contract/platform/order-notes'
import { NOTE_LENGTH_MAX } from '@petstore-platform/contract/platform/orders'
import { Refusal } from '../foundation/refusal.ts'

const controlButWhiteSpace = /(?![\t\n])\p{Cc}/u

export function readNote(said: string): string {
  const text = said.replaceAll('\r\n', '\n').trim()
  const length = Array.from(text).length
  const isRight = length >= 1 && length <= NOTE_LENGTH_MAX && text.isWellFormed() && !controlButWhiteSpace.test(text)
  if (!isRight) throw new Refusal('invalid_field', noteFault)
  return text
}
