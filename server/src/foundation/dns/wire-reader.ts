// Reads the bytes of a DNS message that may be hostile.
// - Every read stays inside its part of the message.
// - A name follows a bounded number of pointers, and only backwards.
// - Bytes that are not plain are escaped (\ddd), so that a name or a text can be logged, stored and
//   compared: two different byte strings never give the same text.
// - Throws `Malformed` and nothing else.

export class Malformed extends Error {}

/** The current position, and the end of the readable part. */
export type Cursor = { readonly bytes: Uint8Array; readonly end: number; at: number }

const POINTERS_MAX = 32
const NAME_BYTES_MAX = 255

export const cursorAt = (bytes: Uint8Array, at = 0): Cursor => ({ bytes, at, end: bytes.length })

export const bytesLeft = ({ at, end }: Cursor): number => end - at

export function skipBytes(cursor: Cursor, count: number): void {
  if (count > bytesLeft(cursor)) throw new Malformed('beyond the end')
  cursor.at += count
}

export function readBytes(cursor: Cursor, count: number): Uint8Array {
  skipBytes(cursor, count)
  return cursor.bytes.subarray(cursor.at - count, cursor.at)
}

export function readByte(cursor: Cursor): number {
  skipBytes(cursor, 1)
  return cursor.bytes[cursor.at - 1] ?? 0
}
export const readShort = (cursor: Cursor): number => readByte(cursor) * 256 + readByte(cursor)
export const readLong = (cursor: Cursor): number => readShort(cursor) * 65_536 + readShort(cursor)

/** The next bytes with an end of their own; names in them may still point into the whole message. */
export function readPart(cursor: Cursor, length: number): Cursor {
  const { bytes, at } = cursor
  skipBytes(cursor, length)
  return { bytes, at, end: at + length }
}

/**
 * The labels of a name as raw bytes. Each pointer leads to an earlier position than all before it,
 * so the loop ends.
 */
export function readLabels(cursor: Cursor): Uint8Array[] {
  const labels: Uint8Array[] = []
  let reading = cursor
  let earliest = cursor.at
  let pointers = 0
  let size = 1
  for (let length = readByte(reading); length > 0; length = readByte(reading)) {
    if (length >= 64 && length < 192) throw new Malformed('label type')
    if (length < 64) {
      size += length + 1
      if (size > NAME_BYTES_MAX) throw new Malformed('long name')
      labels.push(readBytes(reading, length))
      continue
    }
    const target = (length - 192) * 256 + readByte(reading)
    pointers += 1
    if (target >= earliest || pointers > POINTERS_MAX) throw new Malformed('pointer')
    earliest = target
    reading = cursorAt(cursor.bytes, target)
  }
  return labels
}

/** Lower case, without the last dot; the root is ''. */
export const readName = (cursor: Cursor): string => nameText(readLabels(cursor))

/** Skips a name without following its pointers. */
export function skipName(cursor: Cursor): void {
  for (let length = readByte(cursor); length > 0; length = readByte(cursor)) {
    if (length >= 192) return void readByte(cursor)
    if (length >= 64) throw new Malformed('label type')
    skipBytes(cursor, length)
  }
}

// In names, everything is escaped that a master file would escape, or that has a meaning in HTML.
const PLAIN_IN_NAMES = /[!#%*+,/0-9:=?A-Z[\]^_a-z{|}~-]/
const PLAIN_IN_TEXTS = /[ -[\]-~]/

export const nameText = (labels: readonly Uint8Array[]): string =>
  labels.map((label) => escaped(label, PLAIN_IN_NAMES).toLowerCase()).join('.')

/** Bytes as text that is safe to show; a backslash is escaped as well, so the bytes can be recovered. */
export const plainBytes = (bytes: Uint8Array): string => escaped(bytes, PLAIN_IN_TEXTS)

function escaped(bytes: Uint8Array, plain: RegExp): string {
  let text = ''
  for (const byte of bytes) {
    const letter = String.fromCharCode(byte)
    text += plain.test(letter) ? letter : `\\${String(byte).padStart(3, '0')}`
  }
  return text
}
