import { expect, test } from 'vitest'
import { dayPartOf, firstNameOf } from './greeting.ts'

test.each([
  [0, 'evening'],
  [4, 'evening'],
  [5, 'morning'],
  [11, 'morning'],
  [12, 'afternoon'],
  [17, 'afternoon'],
  [18, 'evening'],
  [23, 'evening'],
])('at %i o’clock it is %s', (hour, part) => {
  expect(dayPartOf(hour)).toBe(part)
})

test.each([
  ['Robin Berger', 'Robin'],
  ['  Ana ', 'Ana'],
  ['José María Núñez', 'José'],
  ['', ''],
])('of %j the first name is %j', (name, first) => {
  expect(firstNameOf(name)).toBe(first)
})
