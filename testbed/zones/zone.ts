// Fixtures of broken zones: nameservers that are dead, lame, late or out of date, and signatures
// that cannot be trusted. The record itself is correct unless stated otherwise, so that owners
// are shown only the zone's own trouble.

import type { WorldZone } from '../internet/world.ts'
import { TARGET, type Fixture } from './fixture.ts'

const right = [`shop CNAME ${TARGET}.`]

/** A zone with two nameservers, of which the second plays another role. */
const withSecond = (
  zone: string,
  role: 'lame' | 'silent' | 'closed',
  records: readonly string[] = right,
): WorldZone => ({
  zone,
  servers: [
    { name: `ns1.${zone}`, role: 'first' },
    { name: `ns2.${zone}`, role },
  ],
  records,
})

const only = (zone: string, role: 'lame' | 'silent' | 'closed'): WorldZone => ({
  zone,
  servers: [{ name: `ns1.${zone}`, role }],
  records: [],
})

const nameservers: readonly Fixture[] = [
  {
    says: 'all nameservers refuse: the zone is not set up at the delegated nameservers',
    cause: 'zone.lame_ns',
    hostname: 'shop.lame-all.test',
    zones: [only('lame-all.test', 'lame')],
  },
  {
    says: 'one of two nameservers refuses, and the record is correct: a warning',
    cause: 'zone.lame_ns',
    hostname: 'shop.lame-one.test',
    zones: [withSecond('lame-one.test', 'lame')],
  },
  {
    says: 'a missing record comes before a lame nameserver',
    cause: 'dns.no_record',
    also: ['zone.lame_ns'],
    hostname: 'shop.lame-and-empty.test',
    zones: [withSecond('lame-and-empty.test', 'lame', [])],
  },
  {
    says: 'a nameserver that the registrar names does not exist',
    cause: 'zone.lame_ns',
    hostname: 'shop.lame-nowhere.test',
    zones: [
      {
        zone: 'lame-nowhere.test',
        records: right,
        delegated: ['ns1.lame-nowhere.test', 'ns2.nowhere-at-all.test'],
        own: ['ns1.lame-nowhere.test', 'ns2.nowhere-at-all.test'],
      },
    ],
  },
  {
    says: 'a nameserver with other zones does not have this one',
    cause: 'zone.lame_ns',
    hostname: 'shop.lame-third.test',
    zones: [
      {
        zone: 'lame-third.test',
        servers: [
          { name: 'ns1.lame-third.test', role: 'first' },
          { name: 'ns2.lame-third.test', role: 'third', holds: false },
        ],
        records: right,
      },
    ],
  },
  {
    says: 'one nameserver refuses and the other never answers: what can be fixed comes first',
    cause: 'zone.lame_ns',
    also: ['zone.ns_unreachable'],
    hostname: 'shop.lame-and-silent.test',
    zones: [
      {
        zone: 'lame-and-silent.test',
        servers: [
          { name: 'ns1.lame-and-silent.test', role: 'lame' },
          { name: 'ns2.lame-and-silent.test', role: 'silent' },
        ],
        records: [],
      },
    ],
  },
  {
    says: 'no nameserver answers at all',
    cause: 'zone.ns_unreachable',
    hostname: 'shop.silent-all.test',
    zones: [only('silent-all.test', 'silent')],
  },
  {
    says: 'one of two nameservers never answers, and the record is correct: a warning',
    cause: 'zone.ns_unreachable',
    hostname: 'shop.silent-one.test',
    zones: [withSecond('silent-one.test', 'silent')],
  },
  {
    says: 'there is no server at the address of one of two nameservers',
    cause: 'zone.ns_unreachable',
    hostname: 'shop.closed-one.test',
    zones: [withSecond('closed-one.test', 'closed')],
  },
  {
    says: 'there is no server at the address of the only nameserver',
    cause: 'zone.ns_unreachable',
    hostname: 'shop.closed-all.test',
    zones: [only('closed-all.test', 'closed')],
  },
  {
    says: 'the nameservers of the zone could not be found: nothing was learned',
    cause: 'zone.not_queried',
    hostname: 'shop.happy.broken-registry',
    zones: [{ zone: 'broken-registry', servers: [{ name: 'a.nic.broken-registry', role: 'lame' }], records: [] }],
  },
  {
    says: 'a resolver denies a whole top-level domain: nothing was learned about the name',
    cause: 'zone.not_queried',
    hostname: 'shop.happy.denied-registry',
    zones: [],
  },
  {
    says: 'an old A record comes before a silent nameserver',
    cause: 'dns.conflict_a',
    also: ['zone.ns_unreachable'],
    hostname: 'shop.silent-and-old.test',
    zones: [withSecond('silent-and-old.test', 'silent', ['shop A 127.0.80.10'])],
  },
  {
    says: 'a nameserver answers over IPv6 as well, and nothing is wrong',
    cause: null,
    hostname: 'shop.both-families.test',
    zones: [
      {
        zone: 'both-families.test',
        servers: [
          { name: 'ns1.both-families.test', role: 'first', v6: true },
          { name: 'ns2.both-families.test', role: 'second' },
        ],
        records: right,
      },
    ],
  },
]

const disagreeing: readonly Fixture[] = [
  {
    says: 'one of two nameservers has the new record, the other has nothing yet',
    cause: 'zone.ns_disagree',
    hostname: 'shop.half-there.test',
    zones: [{ zone: 'half-there.test', records: ['www A 127.0.80.10'] }],
    before: (world) => world.edit('half-there.test', { add: right }, ['first']),
  },
  {
    says: 'the second nameserver still has the old address',
    cause: 'zone.ns_disagree',
    hostname: 'shop.half-old.test',
    zones: [{ zone: 'half-old.test', records: ['shop A 127.0.80.10'] }],
    before: (world) => world.edit('half-old.test', { remove: ['shop'], add: right }, ['first']),
  },
  {
    says: 'one of three nameservers is late',
    cause: 'zone.ns_disagree',
    hostname: 'shop.third-late.test',
    zones: [
      {
        zone: 'third-late.test',
        servers: [
          { name: 'ns1.third-late.test', role: 'first' },
          { name: 'ns2.third-late.test', role: 'second' },
          { name: 'ns3.third-late.test', role: 'third' },
        ],
        records: ['shop CNAME old-host.test.'],
      },
    ],
    before: (world) => world.edit('third-late.test', { remove: ['shop'], add: right }, ['first', 'second']),
  },
  {
    says: 'the registrar and the zone itself name different nameservers',
    cause: 'zone.ns_mismatch_parent_child',
    hostname: 'shop.two-lists.test',
    zones: [
      {
        zone: 'two-lists.test',
        servers: [
          { name: 'ns1.two-lists.test', role: 'first' },
          { name: 'ns2.two-lists.test', role: 'second' },
          { name: 'ns3.two-lists.test', role: 'third' },
        ],
        records: right,
        delegated: ['ns1.two-lists.test', 'ns2.two-lists.test'],
        own: ['ns1.two-lists.test', 'ns3.two-lists.test'],
      },
    ],
  },
  {
    says: 'one of the nameservers is missing at the registrar',
    cause: 'zone.ns_mismatch_parent_child',
    hostname: 'shop.one-forgotten.test',
    zones: [{ zone: 'one-forgotten.test', records: right, delegated: ['ns1.one-forgotten.test'] }],
  },
  {
    says: 'the subdomain was delegated to other nameservers, and the record was added at the old ones',
    cause: 'zone.subdelegated',
    hostname: 'shop.handed-on.test',
    zones: [
      { zone: 'handed-on.test', records: ['www A 127.0.80.10'] },
      { zone: 'shop.handed-on.test', servers: [{ name: 'ns1.other-dns.test', role: 'third' }], records: [] },
    ],
  },
  {
    says: 'a part between the domain and the name was delegated to other nameservers',
    cause: 'zone.subdelegated',
    hostname: 'shop.eu.handed-part.test',
    zones: [
      { zone: 'handed-part.test', records: [] },
      { zone: 'eu.handed-part.test', servers: [{ name: 'ns1.eu-dns.test', role: 'third' }], records: [] },
    ],
  },
  {
    says: 'a part that was delegated to other nameservers has the correct record: nothing is wrong',
    cause: null,
    hostname: 'shop.eu.handed-well.test',
    zones: [
      { zone: 'handed-well.test', records: [] },
      { zone: 'eu.handed-well.test', servers: [{ name: 'ns1.eu-well.test', role: 'third' }], records: right },
    ],
  },
]

const signed: readonly Fixture[] = [
  {
    says: 'a signed zone with valid signatures: nothing is wrong',
    cause: null,
    hostname: 'shop.signed-well.test',
    zones: [{ zone: 'signed-well.test', records: right, signing: 'good' }],
  },
  {
    says: 'a signed zone without a key at the registrar: nothing is wrong',
    cause: null,
    hostname: 'shop.signed-quietly.test',
    zones: [{ zone: 'signed-quietly.test', records: right, signing: 'good', ds: 'none' }],
  },
  {
    says: 'the key at the registrar is not the one that signs',
    cause: 'zone.dnssec_ds_stale',
    hostname: 'shop.other-key.test',
    zones: [{ zone: 'other-key.test', records: right, signing: 'wrong_ds' }],
  },
  {
    says: 'the new DNS provider does not sign, and the key of the old one is left at the registrar',
    cause: 'zone.dnssec_ds_stale',
    hostname: 'shop.left-key.test',
    zones: [{ zone: 'left-key.test', records: right, ds: 'left' }],
  },
  {
    says: 'a key that is left at the registrar comes before a missing record',
    cause: 'zone.dnssec_ds_stale',
    also: ['dns.no_record'],
    hostname: 'shop.left-key-empty.test',
    zones: [{ zone: 'left-key-empty.test', records: [], ds: 'left' }],
  },
  {
    says: 'the signatures have expired',
    cause: 'zone.dnssec_expired',
    hostname: 'shop.run-out.test',
    zones: [{ zone: 'run-out.test', records: right, signing: 'expired' }],
  },
  {
    says: 'the signatures are in date, but do not match the records',
    cause: 'zone.dnssec_bogus',
    hostname: 'shop.bogus.test',
    zones: [{ zone: 'bogus.test', records: right, signing: 'forged' }],
  },
]

// Real servers do none of this, so these are played by the hostile responder, in its own zones.
const misbehaving: readonly Fixture[] = [
  {
    says: 'the nameserver fails for this name, for every client',
    cause: 'zone.servfail_other',
    hostname: 'shop.servfail.hostile.test',
    zones: [],
  },
  {
    says: 'the nameserver rejects queries with EDNS',
    cause: 'zone.edns_tcp_broken',
    hostname: 'shop.formerr.hostile.test',
    zones: [],
  },
  {
    says: 'the nameserver drops queries with EDNS',
    cause: 'zone.edns_tcp_broken',
    hostname: 'shop.edns-dropped.rude.test',
    zones: [],
  },
  {
    says: 'the nameserver requires TCP, and a firewall rejects it',
    cause: 'zone.edns_tcp_broken',
    hostname: 'shop.tcp-refused.hostile.test',
    zones: [],
  },
  {
    says: 'the nameserver requires TCP, and a firewall drops it',
    cause: 'zone.edns_tcp_broken',
    hostname: 'shop.tcp-hangs.hostile.test',
    zones: [],
  },
  {
    says: 'the nameserver converts capital letters to lower case',
    cause: 'zone.case_0x20',
    hostname: 'shop.case-folded.hostile.test',
    zones: [],
  },
  {
    says: 'the nameserver refuses queries from some regions',
    cause: 'zone.geo_blocked',
    hostname: 'shop.place-refused.hostile.test',
    zones: [],
  },
  {
    says: 'the nameserver gives some regions other answers',
    cause: 'zone.geo_blocked',
    hostname: 'shop.place-differs.hostile.test',
    zones: [],
    known: {
      firstCheck: {
        at: Date.UTC(2026, 0, 1),
        rememberedUntil: Date.UTC(2026, 0, 2),
        values: [],
        serials: {},
        delegated: [],
      },
    },
  },
]

export const zoneFixtures: readonly Fixture[] = [...nameservers, ...disagreeing, ...signed, ...misbehaving]
