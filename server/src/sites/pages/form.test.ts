// The validation of the form with which a visitor asks for an animal, and the message for each fault.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mistakesOf, readForm } from './form.ts'

const right = { name: 'Mia', contact: 'mia@example.org', message: '' }

test.each(['mia@example.org', '+49 30 123 45-67', '(030) 12345', 'm.i+a@sub.example.co'])(
  '%s is a valid contact',
  (contact) => {
    expect(mistakesOf({ ...right, contact }, false)).toEqual({})
  },
)

test.each([
  [{ name: '' }, { name: 'name_missing' }],
  [{ name: 'x'.repeat(101) }, { name: 'name_long' }],
  [{ name: 'a\u0000b' }, { name: 'characters' }],
  [{ contact: '' }, { contact: 'contact_missing' }],
  [{ contact: 'here' }, { contact: 'contact_unusable' }],
  [{ contact: '1234' }, { contact: 'contact_unusable' }],
  [{ phone: '' }, {}],
  [{ phone: '+44 (20) 7946-0958' }, {}],
  [{ phone: '1234' }, { phone: 'phone_unusable' }],
  [{ phone: 'call me' }, { phone: 'phone_unusable' }],
  [{ contact: 'a@b' }, { contact: 'contact_unusable' }],
  [{ contact: `${'x'.repeat(250)}@a.b` }, {}],
  [{ contact: `${'x'.repeat(251)}@a.b` }, { contact: 'contact_long' }],
  [{ message: 'x'.repeat(2001) }, { message: 'message_long' }],
  [{ message: '🐶'.repeat(2000) }, {}],
  [{ message: 'a\u0007' }, { message: 'characters' }],
  [{ message: 'two\nlines\t' }, {}],
])('%j gets the message %j', (change, mistakes) => {
  expect(mistakesOf({ ...right, ...change }, false)).toEqual(mistakes)
})

test.each([
  ['mia@example.org', undefined],
  ['', 'email_missing'],
  ['+49 30 123 45-67', 'email_unusable'],
  ['"mia,ben"@example.org', 'email_unusable'],
])('where a link is mailed, the contact %j gets %s', (contact, mistake) => {
  expect(mistakesOf({ ...right, contact }, true).contact).toBe(mistake)
})

test('a form is parsed as a browser encodes it', () => {
  const body = 'name=+Mia+&contact=mia%40example.org&phone=+555+12&message=a%0D%0Ab&website=&token=t&more=x&name=Other'
  const answers = ['two', ...Array.from({ length: 11 }, () => '')]
  const read = { ...right, phone: '555 12', message: 'a\nb', answers, questions: 'q', trap: '', token: 't' }
  expect(readForm(`${body}&answer-0=+two&questions=q&answer-12=no`)).toEqual(read)
})

test('any body can be parsed', () => {
  const isRead = (body: string) =>
    Object.values(readForm(body))
      .flat()
      .every((value) => typeof value === 'string')
  fc.assert(fc.property(fc.string(), isRead), { numRuns: 50 })
})
