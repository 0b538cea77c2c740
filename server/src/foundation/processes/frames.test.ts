// Messages survive any way in which a pipe cuts them, and a malformed one is noticed early.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeMessage, messageDecoder, type Message } from './frames.ts'

const message = fc.record({
  head: fc.jsonValue(),
  blobs: fc.array(
    fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)),
    { maxLength: 8 },
  ),
})

test('messages arrive as they were sent, however they are cut', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 5 }), fc.integer({ min: 1, max: 40 }), (sent, length) => {
      const stream = Buffer.concat(sent.map(encodeMessage))
      const take = messageDecoder(10_000)
      const received: Message[] = []
      for (let at = 0; at < stream.length; at += length) received.push(...take(stream.subarray(at, at + length)))
      expect(received).toEqual(
        JSON.parse(JSON.stringify(sent.map(({ head }) => head))).map((head: unknown, index: number) => ({
          head,
          blobs: sent[index]?.blobs,
        })),
      )
    }),
  )
})

test('a message that is too large is rejected by its lengths alone', () => {
  const large = encodeMessage({ head: null, blobs: [Buffer.alloc(1000)] })
  expect(() => messageDecoder(900)(large.subarray(0, 12))).toThrow('a message of 1016 bytes')
  expect(messageDecoder(1016)(large)).toHaveLength(1)
})

test('nonsense is rejected', () => {
  expect(() => messageDecoder(1000)(Buffer.from('Error: '))).toThrow('parts')
  expect(() => messageDecoder(1000)(Buffer.from([0, 0, 0, 0]))).toThrow('a message of 0 parts')
})
