// The sentence to a visitor is plain text in one line, and holds nothing that a mail program would link.

import { expect, test } from 'vitest'
import { readDecline } from './visitor.ts'

test.each([
  ['', ''],
  [' Please ask again\r\nin spring. ', 'Please ask again in spring.'],
  ['St. Mary’s Cats, tel. 020 7946 0958', 'St. Mary’s Cats, tel. 020 7946 0958'],
  ['<b>No</b> & "sorry"', '<b>No</b> & "sorry"'],
])('%j is stored as %j', (text, stored) => {
  expect(readDecline({ reason: 'other', text })).toEqual({ reason: 'other', text: stored })
})

test.each([
  'See https://x.example/a',
  'See paws.shop',
  'Write to mia@paws.example',
  'www.paws',
  'mailto:mia',
  '127.0.0.1',
  'paws\u200b.shop',
  'paws。shop',
])('%j is rejected, since it looks like an address', (text) => {
  expect(() => readDecline({ reason: 'other', text })).toThrow(expect.objectContaining({ code: 'address_in_name' }))
})

test.each(['a\u0000b', 'a\u001bb', '\ud800'])('%j is not text', (text) => {
  expect(() => readDecline({ reason: 'other', text })).toThrow(expect.objectContaining({ code: 'invalid_field' }))
})
