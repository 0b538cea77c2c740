import { expect, test } from 'vitest'
import type { RecordAdvice } from '../judging/judgement.ts'
import { linesOf } from './domain-json.ts'

const cname: RecordAdvice = {
  type: 'CNAME',
  name: 'www',
  fullName: 'www.happy-paws.example',
  value: 'happy-paws.petstore.example',
  ttl: 3600,
  have: ['A 192.0.2.7'],
  state: 'conflicting',
  action: 'delete_others',
  isRequired: true,
}
const address = (type: 'A' | 'AAAA', value: string, have: string[]): RecordAdvice => ({ ...cname, type, value, have })

test('a record that is wanted is never to be deleted', () => {
  const have = ['A 192.0.2.10', 'A 192.0.2.7', 'AAAA 2001:DB8::10']
  const records = [address('A', '192.0.2.10', have), address('AAAA', '2001:db8::10', have)]
  for (const record of records)
    expect(linesOf(record, records)).toEqual([
      { line: 'A 192.0.2.10', todo: 'keep' },
      { line: 'A 192.0.2.7', todo: 'delete' },
      { line: 'AAAA 2001:DB8::10', todo: 'keep' },
    ])
})

test('a value typed with a trailing dot matches the value without', () => {
  const dotted: RecordAdvice = { ...cname, value: `${cname.value}.`, have: [`CNAME ${cname.value}`, 'TXT hello'] }
  expect(linesOf(dotted, [dotted]).map(({ todo }) => todo)).toEqual(['keep', 'delete'])
})

test('a record from several servers is listed once', () => {
  const twice: RecordAdvice = { ...cname, have: ['A 192.0.2.7', 'A 192.0.2.7'] }
  expect(linesOf(twice, [twice])).toEqual([{ line: 'A 192.0.2.7', todo: 'delete' }])
})

test.each<[RecordAdvice['action'], string]>([
  ['change', 'change'],
  ['add', 'leave'],
  ['keep', 'keep'],
  ['wait', 'leave'],
])('where the record is to %s, the present record is not to be deleted', (action, todo) => {
  expect(linesOf({ ...cname, action }, [cname])).toEqual([{ line: 'A 192.0.2.7', todo }])
})
