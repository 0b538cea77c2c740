import type { DomainRecord } from '@petstore/contract/platform/domain-shapes'
import { expect, test } from 'vitest'
import { linesOf } from './record-lines.ts'
import { recordsText } from './records-text.ts'

const cname: DomainRecord = {
  type: 'CNAME',
  name: 'www',
  fullName: 'www.happy-paws.example',
  value: 'happy-paws.petstore.example',
  ttl: 3600,
  have: ['A 192.0.2.7'],
  state: 'conflicting',
  action: 'delete_others',
  required: true,
}
const address = (value: string, change: Partial<DomainRecord> = {}): DomainRecord => ({
  ...cname,
  type: value.includes(':') ? 'AAAA' : 'A',
  name: '@',
  fullName: 'happy-paws.example',
  value,
  ...change,
})
const cloudflare = { id: 'cloudflare', name: 'Cloudflare', dnsPage: null }

test('one text says what must be there, what is there now, and what to delete', () => {
  const text = recordsText({ hostname: 'www.happy-paws.example', records: [cname], provider: cloudflare })
  expect(text).toBe(`DNS records for www.happy-paws.example
DNS is run by Cloudflare.

1. Delete the marked lines, then add this record
   Type:  CNAME
   Name:  www (in full: www.happy-paws.example)
   Value: happy-paws.petstore.example
   TTL:   3600
   There now:
   - A 192.0.2.7 (delete this one)`)
})

test('where nothing is there and nobody knows the provider, the text says just that', () => {
  const missing: DomainRecord = { ...cname, name: cname.fullName, have: [], state: 'missing', action: 'add' }
  const text = recordsText({ hostname: 'www.happy-paws.example', records: [missing], provider: null })
  expect(text).toContain('1. Add this record\n')
  expect(text).toContain('Name:  www.happy-paws.example\n')
  expect(text).toMatch(/There now: nothing$/)
  expect(text).not.toContain('run by')
})

test('records that are only good to have are told apart, and each has its number', () => {
  const records = [address('192.0.2.10'), address('2001:db8::10', { required: false, action: 'add' })]
  const text = recordsText({ hostname: 'happy-paws.example', records, provider: null })
  expect(text).toContain('1. Delete the marked lines, then add this record\n')
  expect(text).toContain('2. Add this record (good to have)\n')
})

test('a line that one of the records asks for is never to be deleted', () => {
  const have = ['A 192.0.2.10', 'A 192.0.2.7', 'AAAA 2001:DB8::10']
  const records = [address('192.0.2.10', { have }), address('2001:db8::10', { have })]
  for (const record of records)
    expect(linesOf(record, records)).toEqual([
      { text: 'A 192.0.2.10', mark: 'right' },
      { text: 'A 192.0.2.7', mark: 'delete' },
      { text: 'AAAA 2001:DB8::10', mark: 'right' },
    ])
})

test('a value that is typed with a dot at its end is there when it is read without', () => {
  const dotted: DomainRecord = { ...cname, value: `${cname.value}.`, have: [`CNAME ${cname.value}`, 'TXT hello'] }
  expect(linesOf(dotted, [dotted]).map(({ mark }) => mark)).toEqual(['right', 'delete'])
})

test('what is only to be changed or to be left is not marked for deletion', () => {
  const marksOf = (action: DomainRecord['action']) => linesOf({ ...cname, action }, [cname]).map(({ mark }) => mark)
  expect(marksOf('change')).toEqual(['change'])
  expect(marksOf('add')).toEqual(['leave'])
  expect(marksOf('keep')).toEqual(['right'])
  expect(marksOf('wait')).toEqual(['leave'])
})
