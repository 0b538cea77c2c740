// Fixtures of missing records: there is none for the name, or not where visitors query. For
// every provider the advice uses the provider's own terms.

import { TARGET, TOKEN, type Fixture } from './fixture.ts'
import { serversOf } from './providers.ts'

type Provider = Parameters<typeof serversOf>[0]

const at = (provider: Provider, zone: string, ...records: readonly string[]): Fixture['zones'] => [
  { zone, servers: serversOf(provider), records },
]

const nothing: readonly Fixture[] = [
  {
    says: 'a subdomain has no record',
    cause: 'dns.no_record',
    hostname: 'shop.empty.test',
    zones: [{ zone: 'empty.test', records: ['@ A 192.0.2.10', 'www CNAME @'] }],
  },
  {
    says: 'a subdomain has a record for mail only',
    cause: 'dns.no_record',
    hostname: 'shop.empty-mail.test',
    zones: [{ zone: 'empty-mail.test', records: ['shop MX 10 mail', '@ A 192.0.2.10'] }],
  },
  {
    says: 'only a name below the subdomain has a record',
    cause: 'dns.no_record',
    hostname: 'shop.empty-between.test',
    zones: [{ zone: 'empty-between.test', records: ['mail.shop A 192.0.2.10'] }],
  },
  {
    says: 'a subdomain at GoDaddy has no record',
    cause: 'dns.no_record',
    hostname: 'www.empty-godaddy.test',
    zones: at('godaddy', 'empty-godaddy.test'),
  },
  {
    says: 'a subdomain at Hetzner has no record',
    cause: 'dns.no_record',
    hostname: 'shop.empty-hetzner.test',
    zones: at('hetzner', 'empty-hetzner.test'),
  },
  {
    says: 'a subdomain at Hurricane Electric has no record',
    cause: 'dns.no_record',
    hostname: 'shop.empty-hurricane.test',
    zones: at('hurricane', 'empty-hurricane.test'),
  },
  {
    says: 'a deeper name at IONOS has no record',
    cause: 'dns.no_record',
    hostname: 'shop.eu.empty-ionos.test',
    zones: at('ionos', 'empty-ionos.test', 'eu A 192.0.2.10'),
  },
  {
    says: 'the domain itself has no record',
    cause: 'dns.no_record',
    also: ['own.txt_missing'],
    hostname: 'empty-apex.test',
    zones: [{ zone: 'empty-apex.test', records: ['www A 192.0.2.10'] }],
  },
  {
    says: 'the domain itself at Namecheap has no record',
    cause: 'dns.no_record',
    also: ['own.txt_missing'],
    hostname: 'empty-apex-namecheap.test',
    zones: at('namecheap', 'empty-apex-namecheap.test'),
  },
  {
    says: 'the domain itself at Name.com has the token and no other record',
    cause: 'dns.no_record',
    hostname: 'empty-apex-namecom.test',
    zones: at('namecom', 'empty-apex-namecom.test', `_petstore TXT "${TOKEN}"`),
  },
  {
    says: 'the domain itself at Cloudflare has no record',
    cause: 'dns.no_record',
    also: ['own.txt_missing'],
    hostname: 'empty-apex-cloudflare.test',
    zones: at('cloudflare', 'empty-apex-cloudflare.test'),
  },
  {
    says: 'the domain itself at GoDaddy has no record, and GoDaddy has no ALIAS',
    cause: 'dns.apex_no_alias',
    also: ['own.txt_missing'],
    hostname: 'empty-apex-godaddy.test',
    zones: at('godaddy', 'empty-apex-godaddy.test', 'www A 192.0.2.10'),
  },
  {
    says: 'the domain itself at Squarespace has the token and no other record',
    cause: 'dns.apex_no_alias',
    hostname: 'empty-apex-squarespace.test',
    zones: at('squarespace', 'empty-apex-squarespace.test', `_petstore TXT "${TOKEN}"`),
  },
]

const astray: readonly Fixture[] = [
  {
    says: 'the provider added the domain to the name of the record',
    cause: 'dns.name_doubled',
    hostname: 'shop.doubled.test',
    zones: [{ zone: 'doubled.test', records: [`shop.doubled.test CNAME ${TARGET}.`] }],
  },
  {
    says: 'the provider added the domain to the name and to the value of the record',
    cause: 'dns.name_doubled',
    hostname: 'shop.doubled-twice.test',
    zones: [{ zone: 'doubled-twice.test', records: [`shop.doubled-twice.test CNAME ${TARGET}`] }],
  },
  {
    says: 'the record of the domain itself has the domain twice in its name',
    cause: 'dns.name_doubled',
    hostname: 'doubled-apex.test',
    zones: [{ zone: 'doubled-apex.test', records: ['doubled-apex.test A 127.0.80.1', `_petstore TXT "${TOKEN}"`] }],
  },
  {
    says: 'only a wildcard record matches the name, and leads here',
    cause: 'dns.wildcard_match',
    hostname: 'shop.star.test',
    zones: [{ zone: 'star.test', records: [`* CNAME ${TARGET}.`] }],
  },
  {
    says: 'only a wildcard record matches the name, and leads elsewhere',
    cause: 'dns.no_record',
    hostname: 'shop.star-away.test',
    zones: [{ zone: 'star-away.test', records: ['* A 192.0.2.10', '@ A 192.0.2.10'] }],
  },
  {
    says: 'the record was created at nameservers that are not delegated',
    cause: 'dns.wrong_zone_edited',
    hostname: 'shop.wrong-place.test',
    zones: [
      {
        zone: 'wrong-place.test',
        servers: [
          { name: 'ns03.domaincontrol.com', role: 'first', records: [] },
          { name: 'cara.ns.cloudflare.com', role: 'second', records: [`shop CNAME ${TARGET}.`] },
        ],
        records: [],
        delegated: ['ns03.domaincontrol.com'],
        own: ['ns03.domaincontrol.com', 'cara.ns.cloudflare.com'],
      },
    ],
  },
  {
    says: 'the record was changed at nameservers that are not delegated, while the old one is still served',
    cause: 'dns.wrong_zone_edited',
    also: ['dns.conflict_a'],
    hostname: 'shop.wrong-place-old.test',
    zones: [
      {
        zone: 'wrong-place-old.test',
        servers: [
          { name: 'ns1.old-hoster.test', role: 'first', records: ['shop A 192.0.2.10'] },
          { name: 'ns1.new-hoster.test', role: 'second', records: [`shop CNAME ${TARGET}.`] },
        ],
        records: [],
        delegated: ['ns1.old-hoster.test'],
        own: ['ns1.old-hoster.test', 'ns1.new-hoster.test'],
      },
    ],
  },
  {
    // That nothing was published explains the missing record, but it is a suspicion: the record comes first.
    says: 'the owner chooses Re-verify, and nothing was published since the first check',
    cause: 'dns.no_record',
    also: ['dns.record_disabled'],
    hostname: 'shop.unpublished.test',
    zones: [{ zone: 'unpublished.test', records: [] }],
    known: {
      firstCheck: {
        at: 1,
        rememberedUntil: 0,
        values: [],
        serials: { 'ns1.unpublished.test': 1, 'ns2.unpublished.test': 1 },
        delegated: ['ns1.unpublished.test', 'ns2.unpublished.test'],
      },
      askedAgainAt: 600_000,
    },
  },
]

export const missingFixtures: readonly Fixture[] = [...nothing, ...astray]
