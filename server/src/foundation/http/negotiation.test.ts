import { processorTime } from '@petstore-platform/contract/processor-time.fake'
import { describe, expect, test } from 'vitest'
import {
  accepts,
  isIdentityEncoding,
  isJsonContent,
  matchesEntityTag,
  readBearer,
  readIdempotencyKey,
  traceIdOf,
} from './negotiation.ts'

describe('Accept', () => {
  test.each([
    undefined,
    '',
    '*/*',
    'application/*',
    'application/json',
    'Application/JSON',
    'application/json;version="1,2;q=0"',
    'text/html, application/json;q=0.1',
    'text/html;q=0, application/json',
    'application/json, */*;q=0',
    'application/json, application/*;q=0',
    'application/json, application/json;v=1;q=0',
    'application/json;q=nonsense',
    'application/json;Q = 0.5',
    'application/json;quality=0',
    'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
    'nonsense',
    '*',
    ', ,',
  ])('%j accepts application/json', (header) => {
    expect(accepts(header)).toBe(true)
  })

  test.each([
    'text/html',
    'application/json-seq',
    'nonsense, text/html',
    'application/json;q=0',
    'application/json ; Q = 0.000',
    'application/json;v="a,b";q=0',
    String.raw`application/json;v="\",";q=0`,
    'text/html;v="\\',
    'application/json;q=.0',
    'application/json;q=0, */*',
    'application/json;q=0, application/*',
    'application/*;q=0, */*;q=1',
    '*/*;q=0',
  ])('%j excludes application/json', (header) => {
    expect(accepts(header)).toBe(false)
  })
})

describe('Content-Type', () => {
  test.each([
    'application/json',
    ' APPLICATION/Json ',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json \t;\t Charset="Utf-8"',
    'application/json;',
    'application/json; charset=utf-8;',
  ])('%j is JSON', (header) => {
    expect(isJsonContent(header)).toBe(true)
  })

  test.each([
    '',
    ';application/json',
    'text/plain',
    'application/problem+json',
    'application/json, application/json',
    'application/json; charset=latin1',
    'application/json; charset=utf8',
    'application/json; charset = utf-8',
    'application/json; charset="utf-8',
    'application/json; version=1',
    'application/json; charset=utf-8; charset=utf-8',
    'application/json\u00a0',
  ])('%j is not JSON', (header) => {
    expect(isJsonContent(header)).toBe(false)
  })
})

describe('Content-Encoding', () => {
  test.each([undefined, '', 'identity', 'Identity', 'identity, identity'])('%j is the identity coding', (header) => {
    expect(isIdentityEncoding(header)).toBe(true)
  })

  test.each(['gzip', 'br', 'identity, gzip', 'gzip, identity', 'x-identity', '*'])('%j is another coding', (header) => {
    expect(isIdentityEncoding(header)).toBe(false)
  })
})

describe('Authorization', () => {
  test.each([
    ['Bearer pets_live_0', 'pets_live_0'],
    ['bearer abc', 'abc'],
    ['BEARER    abc', 'abc'],
    ['Bearer a.b-c_d~e+f/g==', 'a.b-c_d~e+f/g=='],
  ])('%j carries the token %j', (header, token) => {
    expect(readBearer(header)).toBe(token)
  })

  test.each(['Bearer', 'bearer  ', 'Bearer\tabc', 'Bearer \tabc', 'Bearer a b', 'Bearer a,b', 'Bearer "a"'])(
    '%j is Bearer without one readable token',
    (header) => {
      expect(readBearer(header)).toBe('')
    },
  )

  test.each(['', 'Basic YTpi', 'Bearerabc', 'Bearer: abc', 'Bear abc', ' Bearer abc', 'pets_live_0', 'Token Bearer a'])(
    '%j is not the scheme Bearer',
    (header) => {
      expect(readBearer(header)).toBeUndefined()
    },
  )
})

describe('If-None-Match', () => {
  test.each([
    ['*', 'W/"a"'],
    [' * ', '"a"'],
    ['W/"a"', 'W/"a"'],
    ['"a"', 'W/"a"'],
    ['W/"a"', '"a"'],
    ['"x", W/"y" ,"a"', 'W/"a"'],
    ['"x","a"', '"a"'],
    ['"x,y"', '"x,y"'],
    ['""', '""'],
  ])('%j matches %s', (header, tag) => {
    expect(matchesEntityTag(header, tag)).toBe(true)
  })

  test.each([
    ['', 'W/"a"'],
    ['a', 'W/"a"'],
    ['"A"', 'W/"a"'],
    ['"ab"', 'W/"a"'],
    ['"x,a,y"', '"a"'],
    ['"a', '"a"'],
    ['"*"', '"a"'],
    ['*, "b"', '"a"'],
    ['"x"a"y"', '"a"'],
    [undefined, '"a"'],
  ])('%j does not match %s', (header, tag) => {
    expect(matchesEntityTag(header, tag)).toBe(false)
  })
})

describe('Idempotency-Key', () => {
  test('is the same key bare and in double quotes', () => {
    expect(readIdempotencyKey('8e03978e-40d5')).toBe('8e03978e-40d5')
    expect(readIdempotencyKey('"8e03978e-40d5"')).toBe('8e03978e-40d5')
  })

  test('may contain every visible ASCII character except the double quote and the backslash', () => {
    for (let code = 0; code < 256; code++) {
      const char = String.fromCharCode(code)
      const allowed = code > 0x20 && code < 0x7f && char !== '"' && char !== '\\'
      expect(readIdempotencyKey(`a${char}b`)).toBe(allowed ? `a${char}b` : undefined)
      expect(readIdempotencyKey(`"${char}"`)).toBe(allowed ? char : undefined)
    }
  })

  test('has 1 to 255 characters, without the quotes', () => {
    const longest = 'x'.repeat(255)
    expect(readIdempotencyKey(longest)).toBe(longest)
    expect(readIdempotencyKey(`"${longest}"`)).toBe(longest)
    expect(readIdempotencyKey(`${longest}x`)).toBeUndefined()
    expect(readIdempotencyKey(`"${longest}x"`)).toBeUndefined()
  })

  test.each(['', '""', '"', '"a', 'a"', '""a""', '"a"b', '"a", "b"', 'a, b', "'a b'", '"a";p=1', 'a\n'])(
    '%j has the wrong form',
    (header) => {
      expect(readIdempotencyKey(header)).toBeUndefined()
    },
  )
})

describe('traceparent', () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  const parent = '00f067aa0ba902b7'

  test.each([
    `00-${trace}-${parent}-01`,
    `00-${trace}-${parent}-00`,
    `01-${trace}-${parent}-01`,
    `cc-${trace}-${parent}-01-more`,
  ])('%j contains a trace id', (header) => {
    expect(traceIdOf(header)).toBe(trace)
  })

  test.each([
    undefined,
    '',
    trace,
    `00-${'0'.repeat(32)}-${parent}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `ff-${trace}-${parent}-01`,
    `00-${trace}-${parent}-01-more`,
    `01-${trace}-${parent}-01more`,
    `00-${trace.toUpperCase()}-${parent}-01`,
    `00-${trace}a-${parent}-01`,
    `00-${trace}-${parent}`,
    `00-${trace}-${parent}-01\n`,
    ` 00-${trace}-${parent}-01`,
  ])('%j contains no valid trace id', (header) => {
    expect(traceIdOf(header)).toBeUndefined()
  })
})

// 5 ms on an idle machine. On a busy one the times of both lengths grow alike: linear work grows
// sixteenfold from one to the other, quadratic work 256-fold, however often it is repeated.
describe('every header parser takes less than 5 ms, or linear time, on 100 KB of', () => {
  const readers = {
    accepts,
    isJsonContent,
    isIdentityEncoding,
    readBearer,
    readIdempotencyKey,
    traceIdOf,
    matchesEntityTag: (header: string) => matchesEntityTag(header, 'W/"c0ffee"'),
  }
  const traceparent = `cc-${'1'.repeat(32)}-${'1'.repeat(16)}-01-`
  const openings = ['', 'application/json;', 'application/json;q=', 'Bearer ', 'W/"', '"', traceparent]
  const pieces = 'a~ ~\t~"~\\~,~;~=~/~0~*~W/~a/b,~" ,~"a",~;q=0~ a~\u00ff'.split('~')

  test.each(pieces)('%j', (piece) => {
    for (const opening of openings) {
      const header = (length: number) => `${opening}${piece.repeat(length / piece.length)}\n`
      const [short, long] = [header(6_250), header(100_000)]
      for (const [name, read] of Object.entries(readers)) {
        const time = processorTime(() => read(long), 5)
        if (time >= 5) expect(time, `${name} after ${opening}`).toBeLessThan(60 * processorTime(() => read(short), 5))
      }
    }
  })
})
