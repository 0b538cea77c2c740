import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { readStream } from './body.io.ts'

const streamOf = (...chunks: string[]) => {
  const stream = new PassThrough()
  for (const chunk of chunks) stream.write(chunk)
  return stream
}
const textOf = async (reading: ReturnType<typeof readStream>) => {
  const { end, bytes } = await reading
  return `${end}: ${bytes.toString()}`
}

test.each([
  ['nothing', [], 'whole: '],
  ['one chunk', ['abcd'], 'whole: abcd'],
  ['several chunks, as many bytes as allowed', ['ab', 'cde'], 'whole: abcde'],
])('%s is read whole', async (_, chunks, expected) => {
  expect(await textOf(readStream(streamOf(...chunks).end(), 5))).toBe(expected)
})

test('one byte more than allowed is too large, and the rest stays unread', async () => {
  const stream = streamOf('abc', 'def')
  expect(await textOf(readStream(stream, 5))).toBe('too_large: abcdef')
  expect(stream.isPaused()).toBe(true)
  stream.write('more')
  expect(stream.readableLength).toBeGreaterThan(0)
})

test('a stream that closes before its end is broken, with its error if it has one', async () => {
  const closing = streamOf('abc')
  const reading = readStream(closing, 5)
  closing.once('data', () => closing.destroy())
  expect(await textOf(reading)).toBe('broken: abc')

  const failing = streamOf('abc')
  const cause = new Error('reset')
  const failed = readStream(failing, 5)
  failing.once('data', () => failing.destroy(cause))
  expect(await failed).toMatchObject({ end: 'broken', error: cause })
})
