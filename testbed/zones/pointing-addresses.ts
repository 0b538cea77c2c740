// Fixtures of addresses: in place of our CNAME, or other ones than ours at an apex. Addresses of
// the open internet are never contacted; those of the test internet have a server.

import { TARGET, TOKEN, type Fixture } from './fixture.ts'
import { serversOf } from './providers.ts'

const zone = (name: string, ...records: readonly string[]): Pick<Fixture, 'hostname' | 'zones'> => ({
  hostname: `shop.${name}`,
  zones: [{ zone: name, records }],
})

/** The apex, with its token and these lines. */
const apex = (name: string, ...records: readonly string[]): Pick<Fixture, 'hostname' | 'zones'> => ({
  hostname: name,
  zones: [{ zone: name, records: [`_petstore TXT "${TOKEN}"`, ...records] }],
})

const foreign: readonly Fixture[] = [
  {
    says: 'there is an old A record in place of the CNAME',
    cause: 'dns.conflict_a',
    ...zone('old-a.test', 'shop A 192.0.2.10'),
  },
  {
    says: 'an A record leads to another website',
    cause: 'dns.conflict_a',
    also: ['http.not_us'],
    ...zone('old-website.test', 'shop A 127.0.80.10'),
  },
  {
    says: 'an A record leads to an address without a server',
    cause: 'dns.conflict_a',
    also: ['http.refused'],
    ...zone('old-server.test', 'shop A 127.0.80.13'),
  },
  {
    says: 'there are two A records in place of the CNAME',
    cause: 'dns.conflict_a',
    ...zone('two-a.test', 'shop A 192.0.2.10', 'shop A 198.51.100.10'),
  },
  {
    says: 'there are an A and an AAAA record in place of the CNAME',
    cause: 'dns.conflict_a',
    also: ['dns.conflict_aaaa'],
    ...zone('a-and-aaaa.test', 'shop A 192.0.2.10', 'shop AAAA 2001:db8::10'),
  },
  {
    says: 'there is an A record of a hosting company in place of the CNAME, at OVHcloud',
    cause: 'dns.conflict_a',
    hostname: 'www.old-a-ovh.test',
    zones: [{ zone: 'old-a-ovh.test', servers: serversOf('ovh'), records: ['www A 203.0.113.7'] }],
  },
  {
    says: 'the domain itself leads to another website',
    cause: 'dns.conflict_a',
    also: ['http.not_us'],
    ...apex('old-apex.test', '@ A 127.0.80.10', '@ MX 10 mail'),
  },
  {
    says: 'the domain itself leads to another address, at GoDaddy',
    cause: 'dns.conflict_a',
    hostname: 'old-apex-godaddy.test',
    zones: [
      {
        zone: 'old-apex-godaddy.test',
        servers: serversOf('godaddy'),
        records: ['@ A 192.0.2.10', `_petstore TXT "${TOKEN}"`],
      },
    ],
  },
  {
    says: 'a wrong address at the domain itself comes before the missing token',
    cause: 'dns.conflict_a',
    also: ['own.txt_missing'],
    hostname: 'old-apex-no-token.test',
    zones: [{ zone: 'old-apex-no-token.test', records: ['@ A 192.0.2.10'] }],
  },
  {
    says: 'a wrong address at the domain itself comes before CAA',
    cause: 'dns.conflict_a',
    also: ['caa.blocked'],
    ...apex('old-apex-caa.test', '@ A 192.0.2.10', '@ CAA 0 issue "other-ca.test"'),
  },
  {
    says: 'there is only an AAAA record in place of the CNAME',
    cause: 'dns.conflict_aaaa',
    ...zone('only-aaaa.test', 'shop AAAA 2001:db8::10'),
  },
  {
    says: 'the domain itself has our A record and an old AAAA record',
    cause: 'dns.conflict_aaaa',
    ...apex('old-aaaa.test', '@ A 127.0.80.1', '@ AAAA 2001:db8::10'),
  },
  {
    says: 'an A record leads into a private network',
    cause: 'dns.reserved_ip',
    ...zone('private.test', 'shop A 192.168.1.10'),
  },
  {
    says: 'an AAAA record leads into a private network',
    cause: 'dns.reserved_ip',
    ...apex('private-apex.test', '@ AAAA fd00::10'),
  },
  {
    says: 'an A record leads to the machine itself',
    cause: 'dns.reserved_ip',
    ...zone('localhost-a.test', 'shop A 127.0.0.1'),
  },
]

const ours: readonly Fixture[] = [
  {
    says: 'a subdomain has our address in place of the CNAME',
    cause: 'dns.a_instead_of_cname',
    ...zone('our-address.test', 'shop A 127.0.80.1'),
  },
  {
    says: 'a subdomain has our address and an AAAA record that leads elsewhere',
    cause: 'dns.conflict_aaaa',
    also: ['dns.a_instead_of_cname'],
    ...zone('our-address-and-aaaa.test', 'shop A 127.0.80.1', 'shop AAAA 2001:db8::10'),
  },
  {
    says: 'the domain itself has our address next to another one',
    cause: 'dns.mixed_targets',
    ...apex('mixed.test', '@ A 127.0.80.1', '@ A 192.0.2.10'),
  },
  {
    says: 'a subdomain has our address next to another one',
    cause: 'dns.mixed_targets',
    also: ['dns.a_instead_of_cname'],
    ...zone('mixed-shop.test', 'shop A 127.0.80.1', 'shop A 192.0.2.10'),
  },
  {
    says: 'the domain itself has our address in an A record, at a provider without ALIAS',
    cause: 'dns.apex_by_address',
    hostname: 'by-hand.test',
    zones: [
      {
        zone: 'by-hand.test',
        servers: serversOf('godaddy'),
        records: ['@ A 127.0.80.1', `_petstore TXT "${TOKEN}"`],
      },
    ],
  },
  {
    says: 'an ALIAS record still has addresses that we had earlier',
    cause: 'dns.alias_stale',
    ...apex('late-alias.test', '@ A 127.0.80.13'),
    wanted: { formerAddresses: ['127.0.80.13'] },
  },
  {
    says: 'addresses that we had earlier are in records that were typed by hand',
    cause: 'dns.conflict_a',
    hostname: 'late-by-hand.test',
    zones: [
      {
        zone: 'late-by-hand.test',
        servers: serversOf('route53'),
        records: ['@ A 127.0.80.13', `_petstore TXT "${TOKEN}"`],
      },
    ],
    wanted: { formerAddresses: ['127.0.80.13'] },
  },
]

const registrars: readonly Fixture[] = [
  {
    says: 'the registrar’s web forwarding is on',
    cause: 'dns.url_forwarding',
    hostname: 'www.forwarded.test',
    zones: [{ zone: 'forwarded.test', servers: serversOf('namecheap'), records: ['www A 127.0.80.12'] }],
  },
  {
    says: 'web forwarding is recognised by the address of the forwarder',
    cause: 'dns.url_forwarding',
    hostname: 'forwarded-godaddy.test',
    zones: [{ zone: 'forwarded-godaddy.test', servers: serversOf('godaddy'), records: ['@ A 3.33.130.190'] }],
  },
  {
    says: 'the name shows a parking page',
    cause: 'dns.parked',
    ...zone('parked.test', 'shop A 127.0.80.11'),
  },
  {
    says: 'a parking page is recognised by its address',
    cause: 'dns.parked',
    hostname: 'parked-porkbun.test',
    zones: [{ zone: 'parked-porkbun.test', servers: serversOf('porkbun'), records: ['@ A 44.227.65.245'] }],
  },
  {
    says: 'the nameservers belong to a company that shows advertisements',
    cause: 'dns.parked',
    hostname: 'shop.parked-sedo.test',
    zones: [{ zone: 'parked-sedo.test', servers: serversOf('sedo'), records: ['@ A 192.0.2.94', '* A 192.0.2.94'] }],
  },
]

const nothingWrong: readonly Fixture[] = [
  { says: 'a subdomain has our CNAME', cause: null, ...zone('right.test', `shop CNAME ${TARGET}.`) },
  {
    says: 'capital letters in our CNAME do not matter',
    cause: null,
    ...zone('right-capitals.test', `shop CNAME ${TARGET.toUpperCase()}.`),
  },
  {
    says: 'our CNAME may have a TTL of a week, or of zero',
    cause: null,
    hostname: 'shop.right-ttl.test',
    zones: [{ zone: 'right-ttl.test', records: [`shop 604800 CNAME ${TARGET}.`], ttl: 0 }],
  },
  {
    says: 'a subdomain of a signed zone has our CNAME',
    cause: null,
    hostname: 'www.right-signed.test',
    zones: [{ zone: 'right-signed.test', records: [`www CNAME ${TARGET}.`], signing: 'good' }],
  },
  {
    says: 'a subdomain at Cloudflare has our CNAME, without the cloud',
    cause: null,
    hostname: 'shop.right-cloudflare.test',
    zones: [{ zone: 'right-cloudflare.test', servers: serversOf('cloudflare'), records: [`shop CNAME ${TARGET}.`] }],
  },
  {
    says: 'a subdomain three labels deep has our CNAME',
    cause: null,
    hostname: 'a.b.c.right-deep.test',
    zones: [{ zone: 'right-deep.test', records: [`a.b.c CNAME ${TARGET}.`, '@ A 192.0.2.10'] }],
  },
  {
    says: 'the domain itself follows us by an ALIAS record, and has the token',
    cause: null,
    ...apex('right-apex.test', '@ A 127.0.80.1', '@ MX 10 mail', '@ TXT "v=spf1 mx -all"'),
  },
  {
    says: 'the domain itself follows us by a flattened CNAME at Cloudflare, with both kinds of address',
    cause: null,
    hostname: 'right-flattened.test',
    zones: [
      {
        zone: 'right-flattened.test',
        servers: serversOf('cloudflare'),
        records: ['@ A 127.0.80.1', '@ AAAA 2001:db8:80::1', `_petstore TXT "${TOKEN}"`],
      },
    ],
    wanted: { addresses: ['127.0.80.1', '2001:db8:80::1'] },
  },
]

export const addressFixtures: readonly Fixture[] = [...foreign, ...ours, ...registrars, ...nothingWrong]
