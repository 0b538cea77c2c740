// Fixtures of the hostname itself: its spelling, its appearance, its registration, a hold by its registrar, the plan.

import { domainToASCII } from 'node:url'
import { TARGET, TOKEN, type Fixture } from './fixture.ts'

const right = (zone: string): Pick<Fixture, 'hostname' | 'zones'> => ({
  hostname: `shop.${zone}`,
  zones: [{ zone, records: [`shop CNAME ${TARGET}.`] }],
})

const appearances: readonly Fixture[] = [
  {
    says: 'a URL was pasted in place of a hostname',
    cause: 'name.url_pasted',
    ...right('pasted.test'),
    known: { typed: 'https://shop.pasted.test/cart?page=2' },
  },
  {
    says: 'a pasted URL is only a remark while there is no record',
    cause: 'dns.no_record',
    also: ['name.url_pasted'],
    hostname: 'shop.pasted-empty.test',
    zones: [{ zone: 'pasted-empty.test', records: [] }],
    known: { typed: 'http://shop.pasted-empty.test:80/' },
  },
  {
    says: 'a name mixes letters of two alphabets',
    cause: 'name.idn_mixed_script',
    ...right(domainToASCII('hаppy.test')),
  },
  {
    says: 'a name is written in letters that all look like Latin ones',
    cause: 'name.idn_mixed_script',
    ...right(domainToASCII('сорре.test')),
  },
  { says: 'a name with an umlaut: nothing is wrong', cause: null, ...right(domainToASCII('bücher.test')) },
  { says: 'a Japanese name: nothing is wrong', cause: null, ...right(domainToASCII('ペット.test')) },
]

const registration: readonly Fixture[] = [
  {
    says: 'the domain of a subdomain is not registered',
    cause: 'name.unregistered',
    hostname: 'shop.nobody-has-this.test',
    zones: [],
  },
  {
    says: 'a domain is not registered',
    cause: 'name.unregistered',
    hostname: 'nobody-has-this-either.test',
    zones: [],
  },
  {
    says: 'a domain of three parts is not registered below its public suffix',
    cause: 'name.unregistered',
    hostname: 'www.nobody-has-this.co.uk',
    zones: [{ zone: 'co.uk', servers: [{ name: 'a.nic.co.uk', role: 'parent' }], records: [] }],
  },
  {
    says: 'an expired domain was moved to the registrar’s nameservers for suspended domains',
    cause: 'name.on_hold',
    hostname: 'shop.suspended.test',
    zones: [
      {
        zone: 'suspended.test',
        servers: [
          { name: 'ns1.suspended-domain.com', role: 'first' },
          { name: 'ns2.suspended-domain.com', role: 'second' },
        ],
        records: ['@ A 127.0.80.11', '* A 127.0.80.11'],
      },
    ],
  },
  {
    says: 'a domain whose owner did not confirm an email is on hold',
    cause: 'name.on_hold',
    hostname: 'unconfirmed.test',
    zones: [
      {
        zone: 'unconfirmed.test',
        servers: [{ name: 'ns1.failed-whois-verification.namecheap.com', role: 'first' }],
        records: [],
      },
    ],
  },
]

const plan: readonly Fixture[] = [
  {
    says: 'the plan no longer includes domains, and DNS is correct',
    cause: 'plan.lapsed',
    ...right('plan-lapsed.test'),
    known: { planAllows: false, isProven: true, isLive: true },
  },
  {
    says: 'the plan comes before the records',
    cause: 'plan.lapsed',
    also: ['dns.conflict_a'],
    hostname: 'plan-and-record.test',
    zones: [{ zone: 'plan-and-record.test', records: ['@ A 192.0.2.10', `_petstore TXT "${TOKEN}"`] }],
    known: { planAllows: false },
  },
]

const together: readonly Fixture[] = [
  {
    says: 'a domain that is not registered comes before the plan',
    cause: 'name.unregistered',
    also: ['plan.lapsed'],
    hostname: 'shop.nobody-pays-this.test',
    zones: [],
    known: { planAllows: false },
  },
  {
    says: 'a name that looks like another one is only a remark while another website responds',
    cause: 'dns.conflict_a',
    also: ['name.idn_mixed_script', 'http.not_us'],
    hostname: `shop.${domainToASCII('рaws.test')}`,
    zones: [{ zone: domainToASCII('рaws.test'), records: ['shop A 127.0.80.10'] }],
  },
]

export const nameFixtures: readonly Fixture[] = [...appearances, ...registration, ...plan, ...together]
