import { expect, test } from 'vitest'
import { faultOf, read } from './main.ts'

const outputOf = (errors: number, more = '') =>
  `State-vector 92 byte, errors: ${errors}\n  3428541 states, stored\n${more}`

test('a search reports whether a rule was broken, and how many states it visited', () => {
  expect(read(outputOf(0))).toEqual({ isBroken: false, states: 3_428_541 })
  expect(read(outputOf(1, 'pan:1: assertion violated 0'))).toEqual({ isBroken: true, states: 3_428_541 })
})

test('a search that was cut short, or failed for another reason, counts as neither', () => {
  expect(() => read('')).toThrow('nothing that can be read')
  expect(() => read(outputOf(0, 'error: max search depth too small'))).toThrow('not completed')
  expect(() => read(outputOf(1, 'invalid end state'))).toThrow('another error')
})

test('a seeded bug that is not found is a fault, and so is a broken model', () => {
  const found = { states: 1, seconds: 1 }
  expect(faultOf({ ...found, bug: 'BUG_CLAIM', isBroken: false })).toBe('BUG_CLAIM was not found')
  expect(faultOf({ ...found, bug: 'BUG_CLAIM', isBroken: true })).toBeUndefined()
  expect(faultOf({ ...found, bug: null, isBroken: true })).toBe('the model breaks its own rules')
  expect(faultOf({ ...found, bug: null, isBroken: false })).toBeUndefined()
})
