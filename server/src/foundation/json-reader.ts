/*
 * `readJson` is a strict JSON parser (RFC 8259). JSON.parse loses what an exact API must detect: it
 * rounds numbers above 2^53, lets the last of two equal keys win, and accepts any nesting depth.
 *
 * Guarantees:
 * - numbers keep their source text;
 * - invalid UTF-8, a byte order mark, a duplicate key, more than 16 levels and trailing bytes are
 *   rejected;
 * - `__proto__` is a name like any other;
 * - time is linear in the size of the input;
 * - every rejection is a JsonSyntaxError with the byte at which parsing stopped.
 */

export class JsonNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type JsonValue = null | boolean | string | JsonNumber | JsonValue[] | JsonObject
/** Has no prototype, so that `in` and property access find only what was sent. */
export type JsonObject = { [name: string]: JsonValue }

export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError'
  /** In bytes of the input. */
  readonly offset: number
  readonly reason: string

  constructor(offset: number, reason: string) {
    super(`Body is not valid JSON at byte ${offset}: ${reason}.`)
    this.offset = offset
    this.reason = reason
  }
}

const MAX_DEPTH = 16
const MAX_QUOTED = 64
const QUOTE = 0x22
const BACKSLASH = 0x5c
const FIRST_PRINTABLE = 0x20
const ESCAPES: Record<string, string> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

export function readJson(bytes: Uint8Array): JsonValue {
  const text = decode(bytes)
  if (text.startsWith('\uFEFF')) throw new JsonSyntaxError(0, 'a byte order mark is not allowed')
  return new Reader(text).document()
}

// ignoreBOM means "leave it in the text": otherwise the decoder removes it and it goes undetected.
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new JsonSyntaxError(firstInvalidByte(bytes), 'not UTF-8')
  }
}

/** Decodes leniently and finds the first replacement character that was not itself sent. */
function firstInvalidByte(bytes: Uint8Array): number {
  let offset = 0
  for (const part of new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).split('\uFFFD')) {
    offset += Buffer.byteLength(part)
    const wasSent = bytes[offset] === 0xef && bytes[offset + 1] === 0xbf && bytes[offset + 2] === 0xbd
    if (!wasSent) break
    offset += 3
  }
  return offset
}

/**
 * Quotes a piece of the document for a message: short, and without characters that move a cursor or are invisible.
 * Unlike `quoted` of refusal.ts it may be a single character, an apostrophe included, and is shown by code points.
 */
function quotedSource(text: string): string {
  const shown = text
    .slice(0, MAX_QUOTED)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)
  return shown.includes("'") ? `"${shown}"` : `'${shown}'`
}

function isDigit(char: string | undefined): boolean {
  return char !== undefined && char >= '0' && char <= '9'
}

class Reader {
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  document(): JsonValue {
    const value = this.#value()
    if (this.#at < this.#text.length) throw this.#unexpected()
    return value
  }

  /** One value and the white space around it. */
  #value(): JsonValue {
    this.#skipSpace()
    const value = this.#bareValue()
    this.#skipSpace()
    return value
  }

  #bareValue(): JsonValue {
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object()
      case '[':
        return this.#array()
      case '"':
        return this.#string()
      case 't':
        return this.#word('true', true)
      case 'f':
        return this.#word('false', false)
      case 'n':
        return this.#word('null', null)
      default:
        return this.#number()
    }
  }

  #object(): JsonObject {
    this.#enter()
    const object = Object.create(null) as JsonObject
    this.#skipSpace()
    if (!this.#take('}')) {
      do this.#member(object)
      while (this.#take(','))
      this.#expect('}')
    }
    this.#depth--
    return object
  }

  #member(object: JsonObject): void {
    this.#skipSpace()
    const start = this.#at
    if (this.#text[start] !== '"') throw this.#unexpected()
    const name = this.#string()
    if (name in object) throw this.#error(start, `duplicate key ${quotedSource(name)}`)
    this.#skipSpace()
    this.#expect(':')
    object[name] = this.#value()
  }

  #array(): JsonValue[] {
    this.#enter()
    const items: JsonValue[] = []
    this.#skipSpace()
    if (!this.#take(']')) {
      do items.push(this.#value())
      while (this.#take(','))
      this.#expect(']')
    }
    this.#depth--
    return items
  }

  /** Steps over an opening bracket. The bound also keeps the recursion off the end of the stack. */
  #enter(): void {
    if (this.#depth === MAX_DEPTH) throw this.#error(this.#at, `nested deeper than ${MAX_DEPTH} levels`)
    this.#depth++
    this.#at++
  }

  /** A string without escapes, the common case, is one slice of the input. */
  #string(): string {
    let result = ''
    let from = this.#at + 1
    for (let at = from; at < this.#text.length; at++) {
      const code = this.#text.charCodeAt(at)
      if (code === QUOTE) {
        this.#at = at + 1
        return result + this.#text.slice(from, at)
      }
      if (code < FIRST_PRINTABLE)
        throw this.#error(at, `unescaped control character ${quotedSource(this.#text[at] ?? '')}`)
      if (code === BACKSLASH) {
        result += this.#text.slice(from, at) + this.#escape(at)
        at += this.#text[at + 1] === 'u' ? 5 : 1
        from = at + 1
      }
    }
    throw this.#error(this.#text.length, 'unexpected end')
  }

  #escape(at: number): string {
    const letter = this.#text[at + 1] ?? ''
    const hex = this.#text.slice(at + 2, at + 6)
    if (letter === 'u' && /^[0-9a-fA-F]{4}$/.test(hex)) return String.fromCharCode(Number.parseInt(hex, 16))
    const char = ESCAPES[letter]
    if (char === undefined) throw this.#error(at, 'invalid escape in a string')
    return char
  }

  #number(): JsonNumber {
    const start = this.#at
    this.#take('-')
    if (!this.#take('0')) this.#digits()
    if (this.#take('.')) this.#digits()
    if (this.#take('e') || this.#take('E')) {
      if (!this.#take('+')) this.#take('-')
      this.#digits()
    }
    return new JsonNumber(this.#text.slice(start, this.#at))
  }

  #digits(): void {
    const start = this.#at
    while (isDigit(this.#text[this.#at])) this.#at++
    if (this.#at === start) throw this.#unexpected()
  }

  #word<Value extends boolean | null>(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#at)) throw this.#unexpected()
    this.#at += word.length
    return value
  }

  #skipSpace(): void {
    while (this.#take(' ') || this.#take('\n') || this.#take('\r') || this.#take('\t'));
  }

  #take(char: string): boolean {
    if (this.#text[this.#at] !== char) return false
    this.#at++
    return true
  }

  #expect(char: string): void {
    if (!this.#take(char)) throw this.#unexpected()
  }

  #unexpected(): JsonSyntaxError {
    const code = this.#text.codePointAt(this.#at)
    const what = code === undefined ? 'end' : quotedSource(String.fromCodePoint(code))
    return this.#error(this.#at, `unexpected ${what}`)
  }

  /** Only a rejection pays for converting the position in the text into a position in the bytes. */
  #error(at: number, reason: string): JsonSyntaxError {
    return new JsonSyntaxError(Buffer.byteLength(this.#text.slice(0, at)), reason)
  }
}
