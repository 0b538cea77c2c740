import type { DomainRecord } from '@petstore-platform/contract/platform/domain-shapes'
import { expect, test } from 'vitest'
import { changesOf, countOf, partsOf } from './changes.ts'

const record = (change: Partial<DomainRecord> = {}): DomainRecord => ({
  type: 'CNAME',
  name: 'www',
  fullName: 'www.happy-paws.example',
  value: 'happy-paws.petstore.example',
  ttl: 3600,
  have: [],
  state: 'missing',
  action: 'add',
  required: true,
  ...change,
})
const inTheWay = { line: 'A 192.0.2.7', todo: 'delete' } as const
const shapeOf = (records: readonly DomainRecord[]) =>
  changesOf(records).map(({ kind, number, lines, replaces }) => [kind, number, lines.map(({ line }) => line), replaces])

test('what is in the way is deleted first, then the record is added in its place', () => {
  const other = { line: 'TXT hello', todo: 'leave' } as const
  expect(shapeOf([record({ action: 'delete_others', have: [inTheWay, other] })])).toEqual([
    ['delete', 1, ['A 192.0.2.7'], 0],
    ['add', 2, ['TXT hello'], 1],
  ])
})

test('what is in the way of several records is deleted once', () => {
  const action = 'delete_others'
  const records = ['192.0.2.1', '192.0.2.2'].map((value) => record({ type: 'A', value, action, have: [inTheWay] }))
  expect(shapeOf(records)).toEqual([
    ['delete', 1, ['A 192.0.2.7'], 0],
    ['add', 2, [], 1],
    ['add', 3, [], 1],
  ])
  // Another name has a record of its own, even if it is the same.
  const elsewhere = record({ action, have: [inTheWay], fullName: 'happy-paws.example' })
  expect(changesOf([...records, elsewhere]).filter(({ kind }) => kind === 'delete')).toHaveLength(2)
})

test('only what has to be done is numbered', () => {
  const records = [record({ action: 'keep' }), record({ action: 'change' }), record({ action: 'wait' }), record()]
  expect(shapeOf(records).map(([kind, number]) => [kind, number])).toEqual([
    ['keep', null],
    ['change', 1],
    ['wait', null],
    ['add', 2],
  ])
})

test('the count says whether the domain needs any of the changes', () => {
  expect(countOf(changesOf([record({ action: 'keep' })]))).toEqual({ count: 0, isRequired: false })
  expect(countOf(changesOf([record({ required: false })]))).toEqual({ count: 1, isRequired: false })
  expect(countOf(changesOf([record({ required: false }), record()]))).toEqual({ count: 2, isRequired: true })
})

test('a current record is split at its first space', () => {
  expect(partsOf('TXT v=spf1 -all')).toEqual({ type: 'TXT', value: 'v=spf1 -all' })
  expect(partsOf('A')).toEqual({ type: 'A', value: '' })
})
