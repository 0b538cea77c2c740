import { expect, test } from 'vitest'
import { reachOf, telOf, wayOf } from './contact-link.ts'

test.each([
  ['ben@visitor.example', 'mailto:ben@visitor.example'],
  ['Ben.Miller+pets@mail.visitor.co.uk', 'mailto:Ben.Miller+pets@mail.visitor.co.uk'],
  ['+44 20 7946 0958', 'tel:+442079460958'],
  ['(0151) 555-0104', 'tel:01515550104'],
  ['0151/5550104', 'tel:01515550104'],
])('%s can be reached by a link', (contact, link) => {
  expect(reachOf(contact)).toBe(link)
})

test.each([
  ['nothing of the kind', 'evenings at the café'],
  ['two things at once', 'ben@visitor.example or 0151 5550104'],
  ['a subject smuggled in', 'ben@visitor.example?subject=hello'],
  ['a line smuggled in', 'ben@visitor.example%0Abcc:all@visitor.example'],
  ['two addresses', 'ben@visitor.example,ana@visitor.example'],
  ['a script', 'javascript:alert(1)'],
  ['an address without a name behind it', 'ben@visitor'],
  ['a date', '2026-11-14'],
  ['too few digits', '+49 12'],
  ['too many digits', '+4912345678901234567890'],
  ['a code of the telephone', '*#06#'],
])('%s is plain text', (_, contact) => {
  expect(reachOf(contact)).toBeUndefined()
})

test('the way to a visitor is told from the link', () => {
  expect(['ben@visitor.example', '+44 20 7946 0958', 'evenings at the café'].map(wayOf)).toEqual([
    'email',
    'phone',
    'other',
  ])
})

test('A number that was given as one is linked by its digits', () => {
  expect(['+44 (20) 7946-0958', '555 12/34', '020.7946'].map(telOf)).toEqual([
    'tel:+442079460958',
    'tel:5551234',
    'tel:0207946',
  ])
})
