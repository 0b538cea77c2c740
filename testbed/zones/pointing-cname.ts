// Fixtures of a wrong CNAME: in its value, in the records next to it, or in its target. What
// real servers refuse to serve comes from the hostile responder.

import { PLATFORM_HOST, TARGET, type Fixture } from './fixture.ts'
import { serversOf } from './providers.ts'

/** The subdomain `shop` with these lines in its zone. */
const zone = (name: string, ...records: readonly string[]): Pick<Fixture, 'hostname' | 'zones'> => ({
  hostname: `shop.${name}`,
  zones: [{ zone: name, records }],
})

const values: readonly Fixture[] = [
  {
    says: 'a CNAME leads to a former host of the platform, which still leads to us',
    cause: 'dns.cname_former_host',
    hostname: 'shop.cname-former.test',
    zones: [
      { zone: 'cname-former.test', records: ['shop CNAME happy-paws.former-shops.test.'] },
      { zone: 'former-shops.test', records: ['* A 127.0.80.1'] },
    ],
    wanted: { formerTargets: ['happy-paws.former-shops.test'] },
  },
  {
    says: 'a CNAME leads to a former host of the platform, which leads elsewhere by now',
    cause: 'dns.cname_wrong',
    also: ['http.not_us'],
    hostname: 'shop.cname-sold.test',
    zones: [
      { zone: 'cname-sold.test', records: ['shop CNAME happy-paws.sold-shops.test.'] },
      { zone: 'sold-shops.test', records: ['* A 127.0.80.22'] },
    ],
    wanted: { formerTargets: ['happy-paws.sold-shops.test'] },
  },
  {
    says: 'a CNAME leads to another host that does not exist',
    cause: 'dns.cname_wrong',
    ...zone('cname-away.test', 'shop CNAME shops.other-host.test.'),
  },
  {
    says: 'a CNAME leads to another website',
    cause: 'dns.cname_wrong',
    also: ['http.not_us'],
    hostname: 'shop.cname-website.test',
    zones: [
      { zone: 'cname-website.test', records: ['shop CNAME sites.builder.test.'] },
      { zone: 'builder.test', records: ['sites A 127.0.80.22'] },
    ],
  },
  {
    says: 'a CNAME at GoDaddy leads to the domain itself',
    cause: 'dns.cname_wrong',
    hostname: 'www.cname-self-godaddy.test',
    zones: [
      {
        zone: 'cname-self-godaddy.test',
        servers: serversOf('godaddy'),
        records: ['@ A 192.0.2.10', 'www CNAME @'],
      },
    ],
  },
  {
    says: 'a CNAME at Hetzner leads to another host',
    cause: 'dns.cname_wrong',
    hostname: 'shop.cname-hetzner.test',
    zones: [
      {
        zone: 'cname-hetzner.test',
        servers: serversOf('hetzner'),
        records: ['shop CNAME shops.other-host.test.'],
      },
    ],
  },
  {
    says: 'a CNAME leads to another project',
    cause: 'dns.cname_other_project',
    ...zone('cname-other-project.test', `shop CNAME furry-friends.${PLATFORM_HOST}.`),
    known: { otherProjects: [`furry-friends.${PLATFORM_HOST}`] },
  },
  {
    says: 'a CNAME leads to a project that does not exist',
    cause: 'dns.cname_unknown_project',
    ...zone('cname-nobody.test', `shop CNAME furry-friends.${PLATFORM_HOST}.`),
  },
  {
    says: 'a CNAME leads to the platform without a project',
    cause: 'dns.cname_bare_platform_host',
    ...zone('cname-bare.test', `shop CNAME ${PLATFORM_HOST}.`),
  },
]

const slips: readonly Fixture[] = [
  {
    says: 'a CNAME lacks a letter',
    cause: 'dns.cname_typo',
    ...zone('typo-letter.test', `shop CNAME hapy-paws.${PLATFORM_HOST}.`),
  },
  {
    says: 'a CNAME has two letters in the wrong order',
    cause: 'dns.cname_typo',
    ...zone('typo-order.test', 'shop CNAME happy-paws.petsotre.test.'),
  },
  {
    says: 'a CNAME lacks a part',
    cause: 'dns.cname_typo',
    ...zone('typo-part.test', 'shop CNAME happy-paws.test.'),
  },
  {
    says: 'a CNAME has only the name of the project as its value',
    cause: 'dns.cname_typo',
    ...zone('typo-slug.test', 'shop CNAME happy-paws'),
  },
  {
    says: 'a CNAME has a URL as its value',
    cause: 'dns.cname_typo',
    ...zone('typo-url.test', String.raw`shop CNAME https\058\047\047${TARGET}.`),
  },
  {
    says: 'a CNAME has a www before the value',
    cause: 'dns.cname_typo',
    ...zone('typo-www.test', `shop CNAME www.${TARGET}.`),
  },
  {
    says: 'a CNAME has the end of another suffix',
    cause: 'dns.cname_typo',
    ...zone('typo-end.test', 'shop CNAME happy-paws.petstore.text.'),
  },
  {
    says: 'the provider added the domain to the value',
    cause: 'dns.cname_zone_appended',
    ...zone('appended.test', `shop CNAME ${TARGET}`),
  },
  {
    says: 'the provider added the domain to the value of a deeper name',
    cause: 'dns.cname_zone_appended',
    hostname: 'shop.eu.appended-deep.test',
    zones: [{ zone: 'appended-deep.test', records: [`shop.eu CNAME ${TARGET}`] }],
  },
]

const ways: readonly Fixture[] = [
  {
    says: 'a CNAME reaches us only through another name of the zone',
    cause: 'dns.cname_indirect',
    ...zone('indirect.test', 'shop CNAME www', `www CNAME ${TARGET}.`),
  },
  {
    says: 'a CNAME reaches us only through a name elsewhere',
    cause: 'dns.cname_indirect',
    hostname: 'shop.indirect-away.test',
    zones: [
      { zone: 'indirect-away.test', records: ['shop CNAME shop.agency.test.'] },
      { zone: 'agency.test', records: [`shop CNAME ${TARGET}.`] },
    ],
  },
  {
    says: 'there are nine names between the name and us',
    cause: 'dns.chain_too_long',
    ...zone(
      'long-way.test',
      'shop CNAME hop1',
      ...Array.from({ length: 8 }, (_, n) => `hop${n + 1} CNAME hop${n + 2}`),
      `hop9 CNAME ${TARGET}.`,
    ),
  },
  {
    says: 'two names form a CNAME loop',
    cause: 'dns.cname_loop',
    ...zone('circle.test', 'shop CNAME www', 'www CNAME shop'),
  },
  {
    says: 'a name has a CNAME to itself',
    cause: 'dns.cname_loop',
    hostname: 'shop.loop-1.hostile.test',
    zones: [],
  },
  {
    says: 'two zones form a CNAME loop',
    cause: 'dns.cname_loop',
    hostname: 'shop.circle-here.test',
    zones: [
      { zone: 'circle-here.test', records: ['shop CNAME shop.circle-there.test.'] },
      { zone: 'circle-there.test', records: ['shop CNAME shop.circle-here.test.'] },
    ],
  },
]

const neighbours: readonly Fixture[] = [
  {
    says: 'there are two CNAME records at one name',
    cause: 'dns.multiple_cname',
    hostname: 'shop.two-aliases.hostile.test',
    zones: [],
  },
  {
    says: 'a TXT record is next to the CNAME',
    cause: 'dns.cname_with_others',
    hostname: 'shop.alias-and-text.hostile.test',
    zones: [],
  },
  {
    says: 'an address is next to a CNAME',
    cause: 'dns.conflict_a',
    also: ['dns.cname_wrong'],
    hostname: 'shop.alias-and-address.hostile.test',
    zones: [],
  },
  {
    says: 'the domain itself has a CNAME',
    cause: 'dns.apex_cname_illegal',
    hostname: 'alias-at-apex.hostile.test',
    zones: [],
  },
]

export const cnameFixtures: readonly Fixture[] = [...values, ...slips, ...ways, ...neighbours]
