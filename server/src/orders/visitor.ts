// Validates what people enter about a request: a visitor who reserves an animal, with one sentence per invalid field for the
// client that shows the form, and members. Surrounding white space is removed.

import { declineFault } from '@petstore-platform/contract/platform/order-moves'
import { noteFault } from '@petstore-platform/contract/platform/order-notes'
import {
  ORDER_MESSAGE_LENGTH_MAX,
  VISITOR_CONTACT_LENGTH_MAX,
  VISITOR_NAME_LENGTH_MAX,
  NOTE_LENGTH_MAX,
  type OrderDecline,
} from '@petstore-platform/contract/platform/orders'
import { Refusal } from '../foundation/refusal.ts'
import { looksLikeAddress } from '../mail/linked-names.ts'

export type VisitorWords = { name: string; contact: string; phone?: string | undefined; message: string }

/** The input as it is stored, or a refusal that names the invalid field. */
export function readVisitor({ name, contact, phone, message }: VisitorWords): VisitorWords {
  return {
    name: lineOf('name', name, VISITOR_NAME_LENGTH_MAX),
    contact: lineOf('contact', contact, VISITOR_CONTACT_LENGTH_MAX),
    ...(phone !== undefined && { phone: phoneOf(phone) }),
    message: textOf(message),
  }
}

const phoneNumber = /^[\d ()+./-]{5,30}$/

/** Loosely: numbers are written in many ways. */
export const isPhone = (said: string): boolean => phoneNumber.test(said) && /\d/.test(said)

function phoneOf(said: string): string {
  const phone = said.trim()
  if (phone === '' || isPhone(phone)) return phone
  throw new Refusal('invalid_field', "'phone' must have 5 to 30 digits, spaces and characters of '+()-/.'.")
}

const control = /\p{Cc}/u
const controlButWhiteSpace = /(?![\t\n])\p{Cc}/u

function lineOf(field: string, said: string, lengthMax: number): string {
  const line = said.trim()
  const isRight = line !== '' && isShort(line, lengthMax) && line.isWellFormed() && !control.test(line)
  if (isRight) return line
  throw new Refusal(
    'invalid_field',
    `'${field}' must have 1 to ${lengthMax} characters, not only white space and without control characters.`,
  )
}

function textOf(said: string): string {
  // HTML forms send CRLF line breaks.
  const text = said.replaceAll('\r\n', '\n').trim()
  const isRight = isShort(text, ORDER_MESSAGE_LENGTH_MAX) && text.isWellFormed() && !controlButWhiteSpace.test(text)
  if (isRight) return text
  throw new Refusal(
    'invalid_field',
    `'message' must have at most ${ORDER_MESSAGE_LENGTH_MAX} characters, without control characters.`,
  )
}

/** In characters, as PostgreSQL counts them. */
const isShort = (text: string, lengthMax: number) =>
  text.length <= lengthMax * 2 && Array.from(text).length <= lengthMax

/** A note of a member. */
export function readNote(said: string): string {
  const text = said.replaceAll('\r\n', '\n').trim()
  const length = Array.from(text).length
  const isRight = length >= 1 && length <= NOTE_LENGTH_MAX && text.isWellFormed() && !controlButWhiteSpace.test(text)
  if (!isRight) throw new Refusal('invalid_field', noteFault)
  return text
}

// The reason with which a member declines a request, and the sentence to the visitor. The sentence goes into a mail under
// our sender, so it contains nothing that a mail program would show as a link.

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
