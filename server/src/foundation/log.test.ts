import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { turnwise } from './log.ts'

test('lines of one turn leave in one write, in their order', async () => {
  const written: string[] = []
  const log = turnwise((text) => void written.push(text))
  log.write('a\n')
  log.write('b\n')
  expect(written).toEqual([])
  await turn()
  expect(written).toEqual(['a\nb\n'])
  log.write('c\n')
  await turn()
  expect(written).toEqual(['a\nb\n', 'c\n'])
})

test('what waits can be flushed at once, and is written only once', async () => {
  const written: string[] = []
  const log = turnwise((text) => void written.push(text))
  log.write('last\n')
  log.flush()
  await turn()
  expect(written).toEqual(['last\n'])
})
