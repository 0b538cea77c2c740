import { expect, test } from 'vitest'
import type { Judgement, RecordAdvice } from '../judging/judgement.ts'
import { evidenceOf } from '../observing/evidence.fake.ts'
import { propagationOf } from './propagation-note.ts'
import { trouble } from '../judging/trouble.ts'

const at = Date.UTC(2026, 10, 15, 12)
const hostname = 'www.shop.com'
const evidence = evidenceOf({ hostname, records: [`${hostname} A 192.0.2.7`], at })
const record: RecordAdvice = {
  type: 'CNAME',
  name: 'www',
  fullName: hostname,
  value: 'shop.petstore.example',
  ttl: 3600,
  have: [],
  state: 'missing',
  action: 'add',
  isRequired: true,
}
const judgement = (changes: Partial<Judgement>): Judgement => ({
  ownership: 'unproven',
  proof: null,
  routing: 'missing',
  how: null,
  isApex: false,
  troubles: [],
  records: [record],
  provider: null,
  apex: 'shop.com',
  authorities: [],
  ...changes,
})

test('beside a record that is to be made stands how long it can take, and how long what is there is remembered', () => {
  const note =
    'A DNS change can take up to 48 hours to be visible everywhere; most are visible within minutes. ' +
    'The current value may stay cached for about 60 minutes after you change it.'
  expect(propagationOf(judgement({}), evidence)).toEqual({ note, until: null })
})

test('before anybody has looked, nothing is said of what is there', () => {
  const note = 'A DNS change can take up to 48 hours to be visible everywhere; most are visible within minutes.'
  expect(propagationOf(judgement({}), null)).toEqual({ note, until: null })
})

test('where a resolver remembers what was before, the time of day is named', () => {
  const until = at + 20 * 60_000
  const late = trouble('prop.old_ttl', { time: '12:20 UTC', host: hostname }, { until })
  const right = { ...record, state: 'right' as const, action: 'keep' as const }
  expect(propagationOf(judgement({ troubles: [late], records: [right] }), evidence)).toEqual({
    note: expect.stringMatching(/up to 48 hours.* Here it takes until about 12:20 UTC\.$/),
    until: '2026-11-15T12:20:00.000Z',
  })
})

test('once every record is right nothing is said', () => {
  expect(propagationOf(judgement({ records: [{ ...record, state: 'right' }] }), evidence)).toBeNull()
})
