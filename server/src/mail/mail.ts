// A mail as its feature writes it: a subject and a list of blocks. Two renderers make plain text
// and HTML of the same blocks, so both say the same.

export type Block =
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string }
  /** Pairs of a label and a value, such as time and device. */
  | { kind: 'facts'; facts: readonly (readonly [label: string, value: string])[] }
  /** The one thing to do; the address must be ours. */
  | { kind: 'button'; text: string; url: string }

export type Mail = {
  subject: string
  blocks: readonly Block[]
  /** Why the recipient gets it; the last lines. */
  footer: string
}

/** Control characters and line ends, and those that hide or reorder what follows; not the joiners of scripts and emoji. */
const unwanted = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]+/gu

/** Every text of a mail passes through this, in both renderings: one line, so that no value can pass for a line of ours. */
export const oneLine = (text: string): string => text.toWellFormed().replaceAll(unwanted, ' ')
