import { expect, test } from 'vitest'
import { digestOf } from '../../foundation/key-format.ts'
import { restorationOf } from './restoration.ts'

const change = (id: string, oldEmail: string) => ({ id, oldEmail })
const moved = [change('one', 'Mia@shop.example'), change('two', 'first@evil.example')]
const thief = 'second@evil.example'

test('a link restores the address to which it was mailed, and undoes what came after', () => {
  expect(restorationOf(thief, moved, digestOf('mia@shop.example'))).toEqual({
    email: 'Mia@shop.example',
    undone: ['one', 'two'],
    earlier: [],
  })
  expect(restorationOf(thief, moved, digestOf('first@evil.example'))).toEqual({
    email: 'first@evil.example',
    undone: ['two'],
    earlier: [digestOf('mia@shop.example')],
  })
})

test('a link to the present address undoes nothing, and those to earlier addresses stay', () => {
  const { undone, earlier } = restorationOf(thief, moved, digestOf(thief)) ?? {}
  expect([undone, earlier]).toEqual([[], [digestOf('mia@shop.example'), digestOf('first@evil.example')]])
})

test('a link to an address that the account cannot have again restores nothing', () => {
  expect(restorationOf('mia@shop.example', [], digestOf(thief))).toBeUndefined()
})

test('of an account that returned to an address, everything since it first had it is undone', () => {
  const there = [change('one', 'mia@shop.example'), change('two', 'other@shop.example')]
  expect(restorationOf('mia@shop.example', there, digestOf('mia@shop.example'))?.undone).toEqual(['one', 'two'])
})

test('a link that an earlier release mailed restores the earliest address', () => {
  expect(restorationOf(thief, moved, null)?.email).toBe('Mia@shop.example')
  expect(restorationOf('mia@shop.example', [], null)).toEqual({ email: 'mia@shop.example', undone: [], earlier: [] })
})
