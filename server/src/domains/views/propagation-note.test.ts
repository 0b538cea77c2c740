import { expect, test } from 'vitest'
import { evidenceOf } from '../../../../testbed/evidence/evidence.ts'
import type { Judgement, RecordAdvice } from '../judging/judgement.ts'
import { trouble } from '../judging/trouble.ts'
import { propagationOf } from './domain-json.ts'

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

test('a record to be created has a note on how long it can take, and how long the present answer is cached', () => {
  const note =
    'A DNS change can take up to 48 hours to be visible everywhere; most are visible within minutes. ' +
    'The current value may stay cached for about 60 minutes after you change it.'
  expect(propagationOf(judgement({}), evidence)).toEqual({ note, until: null })
})

test('before the first check, the note does not mention present answers', () => {
  const note = 'A DNS change can take up to 48 hours to be visible everywhere; most are visible within minutes.'
  expect(propagationOf(judgement({}), null)).toEqual({ note, until: null })
})

test('where a resolver has cached the old answer, the note gives the time of day', () => {
  const until = at + 20 * 60_000
  const late = trouble('prop.old_ttl', { time: '12:20 UTC', host: hostname }, { until })
  const right = { ...record, state: 'right' as const, action: 'keep' as const }
  expect(propagationOf(judgement({ troubles: [late], records: [right] }), evidence)).toEqual({
    note: expect.stringMatching(/up to 48 hours.* Here it takes until about 12:20 UTC\.$/),
    until: '2026-11-15T12:20:00.000Z',
  })
})

test('there is no note once every record is correct', () => {
  expect(propagationOf(judgement({ records: [{ ...record, state: 'right' }] }), evidence)).toBeNull()
})
