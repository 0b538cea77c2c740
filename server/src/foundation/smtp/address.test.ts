import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAddress } from './address.ts'

test.each([
  ['mia@happy-paws.example', 'mia@happy-paws.example'],
  ['Mia.O+pets@happy-paws.example', 'Mia.O+pets@happy-paws.example'],
  ["o'hara@shop.example", "o'hara@shop.example"],
  ['mia@müller.example', 'mia@xn--mller-kva.example'],
  ['mia@SHOP.Example', 'mia@shop.example'],
])('%s is an address', (text, address) => {
  expect(readAddress(text)).toBe(address)
})

test.each([
  '',
  '@',
  'mia',
  'mia@',
  '@shop.example',
  'mia@localhost',
  'mia@127.0.0.1',
  'mia@[127.0.0.1]',
  '"mia"@shop.example',
  'mia,tom@shop.example',
  'mia@shop.example,tom@shop.example',
  'Mia <mia@shop.example>',
  'mia@shop.example>',
  'mia@a@shop.example',
  'mia(comment)@shop.example',
  'mia..o@shop.example',
  '.mia@shop.example',
  'mia @shop.example',
  'mia@shop.example\r\nRCPT TO:<tom@shop.example>',
  'mia@shop\t.example',
  'mia@shop%2eexample',
  'müller@shop.example',
  `${'a'.repeat(65)}@shop.example`,
  `mia@${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.example`,
])('%j is none', (text) => {
  expect(readAddress(text)).toBeUndefined()
})

test('whatever is accepted has one @, and no character that ends a command, a header or a list', () => {
  const part = fc.string({ unit: fc.constantFrom(...Array.from('ab.@,<>" \r\n\0;:()[]\\+ü-')) })
  fc.assert(
    fc.property(
      fc.oneof(
        part,
        fc.string(),
        part.map((text) => `${text}@shop.example`),
      ),
      (text) => {
        const address = readAddress(text)
        if (address !== undefined) expect(address).toMatch(/^[^\s@,<>"\\()[\];:\0]+@[a-z0-9.-]+$/)
      },
    ),
    { numRuns: 5000 },
  )
})
