import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { batchLogLines } from './log.ts'

test('lines of one turn go out in one write, in order', async () => {
  const written: string[] = []
  const log = batchLogLines((text) => void written.push(text))
  log.write('a\n')
  log.write('b\n')
  expect(written).toEqual([])
  await turn()
  expect(written).toEqual(['a\nb\n'])
  log.write('c\n')
  await turn()
  expect(written).toEqual(['a\nb\n', 'c\n'])
})

test('buffered lines can be flushed at once, and are written only once', async () => {
  const written: string[] = []
  const log = batchLogLines((text) => void written.push(text))
  log.write('last\n')
  log.flush()
  await turn()
  expect(written).toEqual(['last\n'])
})
