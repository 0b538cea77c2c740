import * as fc from 'fast-check'
import { processorTime } from '@petstore-platform/contract/processor-time.fake'
import { describe, expect, test } from 'vitest'
import { JsonNumber, JsonSyntaxError, type JsonValue, readJson } from './json-reader.ts'

const read = (text: string) => readJson(Buffer.from(text))

function refusalOf(input: string | Uint8Array): JsonSyntaxError {
  try {
    readJson(typeof input === 'string' ? Buffer.from(input) : input)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error
    throw error
  }
  throw new Error('It was read without complaint')
}

/** The value as JSON.parse would have returned it. */
function rounded(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return Number(value.text)
  if (Array.isArray(value)) return value.map(rounded)
  if (typeof value !== 'object' || value === null) return value
  // fromEntries defines own properties, as JSON.parse does, so __proto__ survives.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, rounded(member)]))
}

/** 'refused', or the value as text, in which -0 is 0 for both parsers. */
function outcome(run: () => unknown): string {
  try {
    return JSON.stringify(run())
  } catch {
    return 'refused'
  }
}

describe('accepted JSON', () => {
  test('a number keeps its source text', () => {
    for (const text of ['0', '-0', '9007199254740993', '1.0', '1e2', '1E+2', '-0.5e-10', '1e999999999']) {
      expect(read(` ${text} `)).toEqual(new JsonNumber(text))
    }
  })

  test('literals, strings, arrays and objects become the corresponding values', () => {
    expect(read(' { "a" : [ true , false , null ] , "b" : { } , "c" : [ ] , "" : "d" }\r\n\t')).toEqual({
      a: [true, false, null],
      b: {},
      c: [],
      '': 'd',
    })
  })

  test('escapes are decoded', () => {
    expect(read(String.raw`"a\"\\\/\b\f\n\r\t\u00e9\ud83d\uDE00 z"`)).toBe('a"\\/\b\f\n\r\té😀 z')
  })

  test('a lone surrogate escape stays as it is, in values and in names', () => {
    expect(read(String.raw`"\ud800"`)).toBe('\ud800')
    expect(read(String.raw`{"\udc00x":"\ud800\u0041"}`)).toEqual({ '\udc00x': '\ud800A' })
  })

  test('__proto__ and constructor are names like any other', () => {
    const value = read('{"__proto__":{"admin":true},"constructor":1}')
    expect(Object.getPrototypeOf(value)).toBeNull()
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor'])
    expect(Object.hasOwn({}, 'admin')).toBe(false)
  })

  test('U+007F, U+2028 and U+FFFD may stand unescaped in a string', () => {
    expect(read('"\u007f\u2028\uFFFD"')).toBe('\u007f\u2028\uFFFD')
  })

  test('16 levels are accepted and the 17th is rejected at its bracket', () => {
    expect(() => read('['.repeat(16) + ']'.repeat(16))).not.toThrow()
    expect(() => read(`${'{"a":'.repeat(16)}1${'}'.repeat(16)}`)).not.toThrow()
    expect(() => read(`[${'[],{},'.repeat(50)}[]]`)).not.toThrow()
    expect(refusalOf('['.repeat(17) + ']'.repeat(17))).toMatchObject({
      offset: 16,
      reason: 'nested deeper than 16 levels',
    })
    expect(refusalOf(`${'{"a":'.repeat(17)}1${'}'.repeat(17)}`).offset).toBe(16 * 5)
  })
})

describe('rejected JSON', () => {
  test('the message contains the byte offset and the reason', () => {
    const error = refusalOf('{"name":')
    expect(error.message).toBe('Body is not valid JSON at byte 8: unexpected end.')
    expect(error).toMatchObject({ name: 'JsonSyntaxError', offset: 8, reason: 'unexpected end' })
  })

  test.each([
    ['', 0, 'unexpected end'],
    ['{', 1, 'unexpected end'],
    ['["a', 3, 'unexpected end'],
    ['{"a":1,}', 7, "unexpected '}'"],
    ['[1,]', 3, "unexpected ']'"],
    ['[1 2]', 3, "unexpected '2'"],
    ['{a:1}', 1, "unexpected 'a'"],
    ["{'a':1}", 1, `unexpected "'"`],
    ['{"a":1} {}', 8, "unexpected '{'"],
    ['1 // one', 2, "unexpected '/'"],
    ['True', 0, "unexpected 'T'"],
    ['\u00a01', 0, "unexpected '\u00a0'"],
    ['😀', 0, "unexpected '😀'"],
    ['\0{}', 0, String.raw`unexpected '\u{0}'`],
    ['1\u001b', 1, String.raw`unexpected '\u{1b}'`],
  ])('%j is rejected at byte %i: %s', (text, offset, reason) => {
    expect(refusalOf(text)).toMatchObject({ offset, reason })
  })

  test.each([
    ['01', 1],
    ['+1', 0],
    ['.5', 0],
    ['1.', 2],
    ['1.e1', 2],
    ['-', 1],
    ['1e', 2],
    ['1e+', 3],
    ['0x10', 1],
    ['NaN', 0],
    ['-Infinity', 1],
    ['１', 0],
  ])('%s is not a JSON number, from byte %i on', (text, offset) => {
    expect(refusalOf(text)).toMatchObject({ offset, reason: expect.stringMatching(/^unexpected /) as string })
  })

  test('a duplicate key is rejected with its byte offset', () => {
    expect(refusalOf('{"a":1,"b":2,"a":1}')).toMatchObject({ offset: 13, reason: "duplicate key 'a'" })
    expect(refusalOf('{"__proto__":1,"__proto__":1}').offset).toBe(15)
  })

  test('keys are compared after decoding their escapes', () => {
    expect(refusalOf(String.raw`{"a":1,"\u0061":2}`)).toMatchObject({ offset: 7, reason: "duplicate key 'a'" })
  })

  test('the same key in two objects is not a duplicate', () => {
    expect(() => read('[{"a":1},{"a":{"a":1}}]')).not.toThrow()
  })

  test('a message quotes at most 64 characters, and none that moves a cursor or is invisible', () => {
    const key = `\u001b[2J\u202e\u009b${'x'.repeat(1000)}`
    const { reason } = refusalOf(JSON.stringify({ [key]: 1 }).replace(/}$/, `,${JSON.stringify(key)}:2}`))
    expect(reason).toBe(String.raw`duplicate key '\u{1b}[2J\u{202e}\u{9b}` + `${'x'.repeat(58)}'`)
  })

  test('the offset counts bytes, not characters', () => {
    expect(refusalOf('{"é😀":1 x').offset).toBe(12)
    expect(refusalOf('["é",é]').offset).toBe(6)
  })

  test('every raw control character in a string is rejected', () => {
    for (let code = 0; code < 0x20; code++) {
      expect(refusalOf(`"a${String.fromCharCode(code)}"`)).toMatchObject({
        offset: 2,
        reason: String.raw`unescaped control character '\u{${code.toString(16)}}'`,
      })
    }
  })

  test.each([String.raw`"\x41"`, String.raw`"\u12"`, String.raw`"\u12G4"`, String.raw`"\u+123"`, '"\\', '"\\\n"'])(
    'the escape in %s is rejected at its backslash',
    (text) => {
      expect(refusalOf(text)).toMatchObject({ offset: 1, reason: 'invalid escape in a string' })
    },
  )

  test('a byte order mark is rejected, but is a character inside a string', () => {
    expect(refusalOf('\uFEFF{}')).toMatchObject({ offset: 0, reason: 'a byte order mark is not allowed' })
    expect(read('"\uFEFF"')).toBe('\uFEFF')
  })

  test.each([
    ['a stray byte', [0x22, 0xff, 0x22], 1],
    ['a stray continuation byte', [0x22, 0x61, 0x80, 0x22], 2],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22], 1],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22], 1],
    ['a sequence cut short', [0x22, 0x61, 0xef, 0xbf, 0x22], 2],
    ['a sequence cut short by the end', [0x22, 0x61, 0xf0, 0x9f, 0x98], 2],
    ['a stray byte after a replacement character', [0x22, 0xef, 0xbf, 0xbd, 0xff, 0x22], 4],
    ['UTF-16 with its mark', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00], 0],
  ])('%s is not UTF-8 and is rejected where it starts', (_, bytes, offset) => {
    expect(refusalOf(Uint8Array.from(bytes))).toMatchObject({ offset, reason: 'not UTF-8' })
  })
})

describe('the parser compared with JSON.parse', () => {
  test('every JSON text yields the same value, except for numbers', () => {
    // Any code unit, lone surrogates too.
    const stringUnit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code))
    fc.assert(
      fc.property(fc.oneof(fc.json({ maxDepth: 8 }), fc.json({ maxDepth: 8, stringUnit })), (text) => {
        expect(rounded(read(text))).toStrictEqual(JSON.parse(text))
      }),
      { numRuns: 500 },
    )
  })

  test('a JSON text with one character changed, added or removed is rejected by both or yields the same value in both', () => {
    const character = fc.constantFrom(...Array.from('{}[]",:0123456789.eE+-\\/ubn tfals\n\u0001😀'))
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.nat(), character, fc.nat({ max: 2 }), (text, seed, inserted, lost) => {
        const at = seed % (text.length + 1)
        const changed = (text.slice(0, at) + inserted + text.slice(at + lost)).toWellFormed()
        const ours = outcome(() => rounded(read(changed)))
        // A changed name may have become a duplicate, which only our parser rejects.
        fc.pre(ours !== 'refused' || !refusalOf(changed).reason.startsWith('duplicate key'))
        expect(ours).toBe(outcome(() => JSON.parse(changed)))
      }),
      { numRuns: 3000 },
    )
  })

  test('random bytes raise nothing but a JsonSyntaxError with an offset within them', () => {
    const start = fc.oneof(fc.constant(''), fc.json())
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 32 }), (text, tail) => {
        const input = Buffer.concat([Buffer.from(text), tail])
        // refusalOf rethrows everything that is not a JsonSyntaxError.
        const offset = outcome(() => rounded(readJson(input))) === 'refused' ? refusalOf(input).offset : 0
        expect(offset).toBeGreaterThanOrEqual(0)
        expect(offset).toBeLessThanOrEqual(input.length)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('hostile input of 100 KB is processed in less than 100 ms', () => {
  test.each([
    ['nesting of arrays', '['.repeat(100_000)],
    ['nesting of objects', '{"a":'.repeat(20_000)],
    ['an open string', `"${'a'.repeat(100_000)}`],
    ['escapes', `"${String.raw`\n`.repeat(50_000)}`],
    ['digits', `-${'1'.repeat(100_000)}x`],
    ['white space', `${' '.repeat(100_000)}x`],
    ['different keys', `{${Array.from({ length: 10_000 }, (_, n) => `"k${n}":1`).join(',')}`],
    ['U+FFFD before a stray byte', Buffer.concat([Buffer.from('\uFFFD'.repeat(33_000)), Buffer.of(255)])],
  ])('%s', (_, input) => {
    const bytes = Buffer.from(input)
    const time = processorTime(() => expect(refusalOf(bytes)).toBeInstanceOf(JsonSyntaxError), 100, 5)
    expect(time).toBeLessThan(100)
  })
})
