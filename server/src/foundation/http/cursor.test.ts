import * as fc from 'fast-check'
import { processorTime } from '@petstore-platform/contract/processor-time.fake'
import { describe, expect, test } from 'vitest'
import { pageLinks, readCursor, writeCursor } from './list-response.ts'

const encode = (text: string | Uint8Array) => Buffer.from(text).toString('base64url')

describe('a cursor', () => {
  test('has the published form', () => {
    expect(writeCursor({ after: 1042n, filter: 'sold' })).toBe('eyJ2IjoxLCJrIjoiMTA0MiIsInMiOiJzb2xkIn0')
    expect(Buffer.from(writeCursor({ after: 1042n, filter: undefined }), 'base64url').toString()).toBe(
      '{"v":1,"k":"1042"}',
    )
  })

  test('preserves any identifier and any filter', () => {
    const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code))
    const cursor = fc.record({
      after: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      filter: fc.option(fc.string({ unit }), { nil: undefined }),
    })
    fc.assert(
      fc.property(cursor, (value) => {
        expect(writeCursor(value)).toMatch(/^[\w-]+$/)
        expect(readCursor(writeCursor(value))).toEqual(value)
      }),
    )
  })

  test.each([
    ['nothing', ''],
    ['no JSON', 'x'],
    ['a number', '1'],
    ['null', 'null'],
    ['an array', '[1,"1"]'],
    ['no version', '{"k":"1"}'],
    ['another version', '{"v":2,"k":"1"}'],
    ['a version in quotes', '{"v":"1","k":"1"}'],
    ['no identifier', '{"v":1}'],
    ['an identifier that is a number', '{"v":1,"k":1}'],
    ['an empty identifier', '{"v":1,"k":""}'],
    ['a leading zero', '{"v":1,"k":"01"}'],
    ['a negative zero', '{"v":1,"k":"-0"}'],
    ['a plus sign', '{"v":1,"k":"+1"}'],
    ['a hexadecimal identifier', '{"v":1,"k":"0x1"}'],
    ['a space', '{"v":1,"k":" 1"}'],
    ['an exponent', '{"v":1,"k":"1e3"}'],
    ['an identifier above 64 bits', '{"v":1,"k":"9223372036854775808"}'],
    ['an identifier below 64 bits', '{"v":1,"k":"-9223372036854775809"}'],
    ['a filter that is null', '{"v":1,"k":"1","s":null}'],
    ['a filter that is a number', '{"v":1,"k":"1","s":1}'],
    ['a further member', '{"v":1,"k":"1","x":1}'],
    ['a prototype', '{"v":1,"k":"1","__proto__":{"s":"sold"}}'],
    ['a duplicate key', '{"v":1,"k":"2","k":"1"}'],
    ['white space', '{"v":1, "k":"1"}'],
    ['a byte order mark', '\uFEFF{"v":1,"k":"1"}'],
    ['invalid UTF-8', Buffer.concat([Buffer.from('{"v":1,"k":"1","s":"'), Buffer.of(255), Buffer.from('"}')])],
  ])('is rejected: %s', (_, content) => {
    expect(readCursor(encode(content))).toBeUndefined()
  })

  test('is accepted only in its canonical base64url form', () => {
    const text = encode('{"v":1,"k":"1","s":"?>?>"}')
    expect(text).toMatch(/-/)
    expect(readCursor(text)).toEqual({ after: 1n, filter: '?>?>' })
    expect(readCursor(text.replaceAll('-', '+').replaceAll('_', '/'))).toBeUndefined()
    expect(readCursor(`${text}=`)).toBeUndefined()
    expect(readCursor(`${text} `)).toBeUndefined()
    expect(readCursor(`${text}A`)).toBeUndefined()
    expect(readCursor(`${text.slice(0, 8)}\n${text.slice(8)}`)).toBeUndefined()
  })

  test('with unused bits set in the last character is rejected', () => {
    const text = writeCursor({ after: 1n, filter: 'sold' })
    expect(text.length % 4).not.toBe(0)
    const siblings = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
      .map((char) => text.slice(0, -1) + char)
      .filter((sibling) => Buffer.from(sibling, 'base64url').equals(Buffer.from(text, 'base64url')))
    expect(siblings.length).toBeGreaterThan(1)
    expect(siblings.filter((sibling) => readCursor(sibling))).toEqual([text])
  })

  test('is parsed without an exception from any text, and accepted only if writing yields the same text', () => {
    const text = fc.oneof(fc.string(), fc.string().map(encode), fc.json().map(encode))
    fc.assert(
      fc.property(text, (candidate) => {
        const cursor = readCursor(candidate)
        expect(cursor && writeCursor(cursor)).toBe(cursor && candidate)
      }),
    )
  })

  test('of 100 KB is rejected in less than 5 ms', () => {
    for (const long of ['A'.repeat(100_000), encode(`{"v":1,"k":"${'9'.repeat(75_000)}"}`), '='.repeat(100_000)]) {
      expect(processorTime(() => expect(readCursor(long)).toBeUndefined(), 5)).toBeLessThan(5)
    }
  })
})

describe('the Link header', () => {
  const base = 'https://api.petstore.example/v1/pets'
  const query = [
    ['limit', '2'],
    ['status', 'sold'],
  ] as const

  test('of the first page of several contains the next and the first', () => {
    expect(pageLinks(base, query, { cursor: undefined, next: 'abc' })).toBe(
      `<${base}?limit=2&status=sold&cursor=abc>; rel="next", <${base}?limit=2&status=sold>; rel="first"`,
    )
  })

  test('of a middle page contains the next cursor, not its own', () => {
    expect(pageLinks(base, query, { cursor: 'abc', next: 'def' })).toBe(
      `<${base}?limit=2&status=sold&cursor=def>; rel="next", <${base}?limit=2&status=sold>; rel="first"`,
    )
  })

  test('of the last page of several contains only the first', () => {
    expect(pageLinks(base, query, { cursor: 'abc', next: undefined })).toBe(
      `<${base}?limit=2&status=sold>; rel="first"`,
    )
  })

  test('is absent from a list that fits one page', () => {
    expect(pageLinks(base, query, { cursor: undefined, next: undefined })).toBeUndefined()
  })

  test('contains no question mark if there are no parameters', () => {
    expect(pageLinks(base, [], { cursor: undefined, next: 'abc' })).toBe(
      `<${base}?cursor=abc>; rel="next", <${base}>; rel="first"`,
    )
  })

  test('percent-encodes values, and decoding restores them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (status) => {
        const header = pageLinks(base, [['status', status]], { cursor: undefined, next: 'abc' }) ?? ''
        const next = /^<([^<>"]*)>; rel="next", /.exec(header)?.[1] ?? ''
        expect([...new URL(next).searchParams]).toEqual([
          ['status', status],
          ['cursor', 'abc'],
        ])
      }),
    )
    expect(pageLinks(base, [['a b', '>&="é']], { cursor: 'abc', next: undefined })).toBe(
      `<${base}?a%20b=%3E%26%3D%22%C3%A9>; rel="first"`,
    )
  })
})
