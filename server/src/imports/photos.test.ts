import { expect, test } from 'vitest'
import { givenUp } from './photos.ts'

const late = (hosts: number, times: number) =>
  new Map(Array.from({ length: hosts }, (_, number) => [`h${number}.test`, times]))

test('a host is given up once it took too long three times, and no other one', () => {
  expect(givenUp(late(1, 2), 'h0.test')).toBeUndefined()
  expect(givenUp(late(1, 3), 'h0.test')).toMatch(/^The server took too long 3 times\./)
  expect(givenUp(late(1, 3), 'other.test')).toBeUndefined()
})

test('an import whose hosts took too long thirty times fetches nothing more', () => {
  expect(givenUp(late(29, 1), 'other.test')).toBeUndefined()
  expect(givenUp(late(30, 1), 'other.test')).toMatch(/^The servers of this file took too long 30 times\./)
})
