import { expect, test } from 'vitest'
import { initialsOf, tintOf } from './initials.ts'

test.each([
  ['Robin Berger', 'RB'],
  ['robin', 'R'],
  ['  Ana María de la Cruz ', 'AC'],
  ['Zoë', 'Z'],
  ['👩‍🌾 Farmer', '👩‍🌾F'],
  ['é́lodie', 'É́'],
  ['', ''],
])('%j has the initials %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})

test('the colour of a name is always the same, and one of four', () => {
  const tints = ['Robin', 'Mia', 'Tom', 'Aisha', 'Jonas', 'Lena', ''].map(tintOf)
  expect(tints).toEqual(['Robin', 'Mia', 'Tom', 'Aisha', 'Jonas', 'Lena', ''].map(tintOf))
  expect(tints.every((tint) => tint >= 0 && tint < 4)).toBe(true)
  expect(new Set(tints).size).toBeGreaterThan(1)
})
