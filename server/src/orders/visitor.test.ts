// The validation of a visitor's input, and the message for each fault.

import { expect, test } from 'vitest'
import { readVisitor } from './visitor.ts'

const right = { name: 'Ben', contact: 'ben@visitor.example', message: 'Hello' }

test('valid input is stored without surrounding white space', () => {
  expect(readVisitor({ name: ' Ben ', contact: '\tben@visitor.example\n', message: ' one\r\n\ttwo \n' })).toEqual({
    name: 'Ben',
    contact: 'ben@visitor.example',
    message: 'one\n\ttwo',
  })
})

test('a message may be empty; characters are counted, not code units', () => {
  expect(readVisitor({ ...right, message: '' }).message).toBe('')
  expect(readVisitor({ ...right, name: '🐕'.repeat(100) }).name).toBe('🐕'.repeat(100))
  expect(readVisitor({ ...right, message: '🐕'.repeat(2000) }).message).toBe('🐕'.repeat(2000))
})

test.each([
  ['name', ''],
  ['name', ' \t '],
  ['name', 'a'.repeat(101)],
  ['name', 'a\nb'],
  ['name', 'a\u0000b'],
  ['name', '\ud800'],
  ['contact', ''],
  ['contact', 'a'.repeat(255)],
  ['contact', 'a\u007fb'],
  ['message', 'a'.repeat(2001)],
  ['message', '🐕'.repeat(2001)],
  ['message', 'a\u0000b'],
  ['message', 'a\rb'],
  ['message', '\udc00'],
])('an invalid %s is rejected by its name: %j', (field, said) => {
  expect(() => readVisitor({ ...right, [field]: said })).toThrow(
    expect.objectContaining({
      code: 'invalid_field',
      message: expect.stringContaining(`'${field}' must have`) as string,
    }),
  )
})
