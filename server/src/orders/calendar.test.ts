// A strict reader, which shares nothing with the writer, reads back what the calendar file of a visit says.

import { expect, test } from 'vitest'
import { readCalendar } from '../../../testbed/harness/calendar.ts'
import { visitCalendar } from './calendar.ts'

const visit = {
  method: 'PUBLISH' as const,
  uid: 'visit-7-42@petstore.example',
  at: new Date('2031-05-03T12:30:00Z'),
  place: 'Willow Street 1',
  summary: 'Visit: Rex, Happy Paws',
  store: { title: 'Happy Paws', email: 'hello@happy-paws.example' },
  requestedAt: new Date('2031-05-01T00:00:00Z'),
  mailedAt: new Date('2031-05-01T00:01:05.400Z'),
}

test('A visit is read back as it was written', () => {
  const { type, content } = visitCalendar(visit)
  expect(type).toBe('text/calendar; charset=utf-8; method=PUBLISH')
  expect(readCalendar(content)).toEqual({
    method: 'PUBLISH',
    event: {
      UID: visit.uid,
      SEQUENCE: '65',
      DTSTAMP: '20310501T000105Z',
      DTSTART: '20310503T123000Z',
      SUMMARY: visit.summary,
      LOCATION: visit.place,
      ORGANIZER: 'mailto:hello@happy-paws.example',
      CN: 'Happy Paws',
      STATUS: 'CONFIRMED',
    },
  })
})

test('A visit that is cancelled keeps its UID, with a higher SEQUENCE', () => {
  const later = { ...visit, method: 'CANCEL' as const, mailedAt: new Date('2031-05-02T00:00:00Z') }
  const { method, event } = readCalendar(visitCalendar(later).content)
  expect([method, event['UID'], event['STATUS']]).toEqual(['CANCEL', visit.uid, 'CANCELLED'])
  expect(Number(event['SEQUENCE'])).toBeGreaterThan(65)
})

test.each([
  'a\r\nEND:VEVENT\r\nBEGIN:VALARM',
  String.raw`a\nb; c, d\\`,
  '";X=1:mailto:x@x.example',
  '🐈‍⬛ Ä ß '.repeat(40),
  'x'.repeat(300),
  '\u2028\u0085\u0000\u202Etxt.exe',
  '\ud800',
])('%j stays one text, wherever people write it', (text) => {
  const { content } = visitCalendar({ ...visit, summary: text, place: text, store: { title: text, email: text } })
  const { event } = readCalendar(content)
  const words = (value: string) => value.toWellFormed().replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202E]+/gu, ' ')
  expect([event['SUMMARY'], event['LOCATION']]).toEqual([words(text), words(text)])
  expect([event['CN'], event['ORGANIZER']]).toEqual([words(text).replaceAll('"', "'"), 'invalid:nomail'])
})

test.each([
  ['a line that is too long', (file: string) => file.replaceAll('\r\n ', '')],
  ['another line end', (file: string) => file.replaceAll('\r\n', '\n')],
  ['a comma that is not escaped', (file: string) => file.replaceAll('\\,', ',')],
  ['a time without a zone', (file: string) => file.replace('123000Z', '123000')],
  ['a property twice', (file: string) => file.replace('UID:', 'STATUS:CONFIRMED\r\nUID:')],
])('%s is reported (negative control)', (_, spoil) => {
  const file = visitCalendar({ ...visit, summary: `${'x'.repeat(80)}, y` }).content
  expect(() => readCalendar(file)).not.toThrow()
  expect(() => readCalendar(spoil(file))).toThrow('not a calendar file')
})
