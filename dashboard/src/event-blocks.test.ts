import { describe, expect, test } from 'vitest'
import { EventBlocks, waitAfterRefusal } from './event-blocks.ts'

const stream = [
  'retry: 2000\n\n',
  'event: changed\ndata: {"topic":"project:willow","actions":["order_placed"]}\n\n',
  ': still here\n\n',
  'event: ended\ndata: {"topic":"project:willow"}\n\n',
].join('')
const events = [
  { name: 'changed', data: '{"topic":"project:willow","actions":["order_placed"]}' },
  { name: 'ended', data: '{"topic":"project:willow"}' },
]

describe('the events of a stream', () => {
  test.each([1, 2, 7, 1000])('are the same in pieces of %i characters', (size) => {
    const blocks = new EventBlocks()
    const pieces = Array.from({ length: Math.ceil(stream.length / size) }, (_, n) =>
      stream.slice(n * size, (n + 1) * size),
    )
    expect(pieces.flatMap((piece) => blocks.add(piece))).toEqual(events)
    expect(blocks.retryMs).toBe(2000)
  })

  test('may have data of several lines and no name', () => {
    expect(new EventBlocks().add('data: one\ndata:two\ndata\n\n')).toEqual([{ name: 'message', data: 'one\ntwo\n' }])
  })

  test('are not complete before the empty line', () => {
    const blocks = new EventBlocks()
    expect(blocks.add('event: changed\ndata: 1\n')).toEqual([])
    expect(blocks.add('\n')).toEqual([{ name: 'changed', data: '1' }])
  })
})

test.each([
  ['30', 30_000],
  ['86400', 300_000],
  ['soon', 4000],
  ['-1', 4000],
  [undefined, 4000],
])('Retry-After %s leads to a wait of %i ms', (value, ms) => {
  expect(waitAfterRefusal(new Headers(value === undefined ? {} : { 'Retry-After': value }), 4000)).toBe(ms)
})
