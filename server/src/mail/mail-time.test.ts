// Times in mails: of the person who reads, with the name of the zone, in every language.

import { languages } from '@petstore-platform/contract/platform/site'
import { expect, test } from 'vitest'
import { mailTime } from './mail-time.ts'

const [winter, summer] = [new Date('2027-01-31T23:05:00Z'), new Date('2027-07-31T23:05:00Z')]

test('a time is in the zone of the reader, also on another day and in summer', () => {
  expect(mailTime('en', winter, 'Europe/Berlin')).toBe('1 February 2027 at 00:05 CET')
  expect(mailTime('en', summer, 'Europe/Berlin')).toBe('1 August 2027 at 01:05 CEST')
  expect(mailTime('de', winter, 'Europe/Berlin')).toBe('1. Februar 2027 um 00:05 MEZ')
  expect(mailTime('fr', winter, 'America/Montreal')).toBe('31 janvier 2027 à 18:05 UTC−5')
  expect(mailTime('es', winter, 'Europe/Madrid')).toBe('1 de febrero de 2027 a las 0:05 CET')
})

test.each(languages)('without a zone it is in UTC, and says so, in %s', (language) => {
  expect(mailTime(language, winter)).toMatch(/31\D.*23:05 UTC$/)
})
