import type { DomainRecord } from '@petstore-platform/contract/platform/domain-shapes'
import { expect, test } from 'vitest'
import { recordsText } from './records-text.ts'

const cname: DomainRecord = {
  type: 'CNAME',
  name: 'www',
  fullName: 'www.happy-paws.example',
  value: 'happy-paws.petstore.example',
  ttl: 3600,
  have: [{ line: 'A 192.0.2.7', todo: 'delete' }],
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

test('one text lists the required records, the current ones, and those to delete', () => {
  const text = recordsText({ hostname: 'www.happy-paws.example', records: [cname], provider: cloudflare })
  expect(text).toBe(`DNS records for www.happy-paws.example
DNS is run by Cloudflare.

1. Delete the marked records, then add this one
   Type:  CNAME
   Name:  www (in full: www.happy-paws.example)
   Value: happy-paws.petstore.example
   TTL:   3600
   Current:
   - A 192.0.2.7 (delete this one)`)
})

test('without current records and a known provider, the text lists the required records only', () => {
  const missing: DomainRecord = { ...cname, name: cname.fullName, have: [], state: 'missing', action: 'add' }
  const text = recordsText({ hostname: 'www.happy-paws.example', records: [missing], provider: null })
  expect(text).toContain('1. Add this record\n')
  expect(text).toContain('Name:  www.happy-paws.example\n')
  expect(text).toMatch(/Current: nothing$/)
  expect(text).not.toContain('run by')
})

test('optional records are listed separately, and each has its number', () => {
  const records = [address('192.0.2.10'), address('2001:db8::10', { required: false, action: 'add' })]
  const text = recordsText({ hostname: 'happy-paws.example', records, provider: null })
  expect(text).toContain('1. Delete the marked records, then add this one\n')
  expect(text).toContain('2. Add this record (recommended)\n')
})
