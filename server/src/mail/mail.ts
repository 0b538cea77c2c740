// A mail as its feature writes it: a subject and a list of blocks. Two renderers make plain text
// and HTML of the same blocks, so both say the same.

import type { Language } from '@petstore-platform/contract/platform/site'

export type Block =
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string }
  /** A paragraph in which backticks mark what is to be copied, as on the page of a domain. */
  | { kind: 'advice'; text: string }
  /** Pairs of a label and a value, such as time and device. */
  | { kind: 'facts'; facts: readonly (readonly [label: string, value: string])[] }
  /** DNS records to set, so that the mail can be forwarded to the person who sets them. */
  | { kind: 'records'; records: readonly { name: string; type: string; value: string }[] }
  /** The one thing to do; the address must be ours. */
  | { kind: 'button'; text: string; url: string }

export type Mail = {
  language: Language
  /** One line; what people wrote in it was shortened by `inSubject`. */
  subject: string
  blocks: readonly Block[]
  /** Why the recipient gets it; the last lines. */
  footer: string
  /** Where it can be turned off, if it can. */
  turnOff?: { text: string; url: string } | undefined
}

/** Control characters and line ends, and those that hide or reorder what follows; not the joiners of scripts and emoji. */
const unwanted = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]+/gu

/** Every text of a mail passes through this, in both renderings: one line, so that no value can pass for a line of ours. */
export const oneLine = (text: string): string => text.toWellFormed().replaceAll(unwanted, ' ')

const SUBJECT_CHARACTERS = 60

/**
 * A text of people in a subject: short enough that ours stays visible. What looks like an encoded word
 * (RFC 2047) would be decoded by the reader's program, into line ends too, so it is taken apart.
 */
export const inSubject = (text: string): string => shortened(oneLine(text).replaceAll('=?', '= ?'), SUBJECT_CHARACTERS)

/** By characters: half of a surrogate pair is none. */
export function shortened(text: string, most: number): string {
  const characters = Array.from(text.trim())
  return characters.length <= most
    ? characters.join('')
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}
