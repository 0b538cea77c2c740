// What a visitor says of themselves when reserving an animal, and what is wrong
// with it: one sentence a field, for whoever shows the form. White space around
// it is no part of it.

import { Refusal } from '../foundation/refusal.ts'
import {
  ORDER_MESSAGE_LENGTH_MAX,
  VISITOR_CONTACT_LENGTH_MAX,
  VISITOR_NAME_LENGTH_MAX,
} from '@petstore/contract/platform/orders'

export type VisitorWords = { name: string; contact: string; message: string }

/** The words as they are kept, or a refusal that says which field is wrong. */
export function readVisitor({ name, contact, message }: VisitorWords): VisitorWords {
  return {
    name: lineOf('name', name, VISITOR_NAME_LENGTH_MAX),
    contact: lineOf('contact', contact, VISITOR_CONTACT_LENGTH_MAX),
    message: textOf(message),
  }
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
  // A form sends its lines as of old.
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
