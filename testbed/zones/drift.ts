// Fixtures of domains that were live: their owners moved, or did not renew. Cases that need a
// certificate are not here.

import { TARGET, type Fixture } from './fixture.ts'

const live: Fixture['known'] = { isLive: true, isProven: true }

export const driftFixtures: readonly Fixture[] = [
  {
    says: 'a live name now has the CNAME of another host',
    cause: 'drift.pointed_away',
    hostname: 'shop.moved-name.test',
    zones: [{ zone: 'moved-name.test', records: ['shop CNAME shop.elsewhere.test.'] }],
    known: live,
  },
  {
    says: 'a live name now has an address of another host',
    cause: 'drift.pointed_away',
    hostname: 'shop.moved-address.test',
    zones: [{ zone: 'moved-address.test', records: ['shop A 127.0.80.10'] }],
    known: live,
  },
  {
    says: 'a live apex now has an address of another host',
    cause: 'drift.pointed_away',
    hostname: 'moved-apex.test',
    zones: [{ zone: 'moved-apex.test', records: ['@ A 127.0.80.10'] }],
    known: { ...live, wasTokenSeen: true },
  },
  {
    says: 'a live domain moved to other nameservers, where another host has it',
    cause: 'drift.pointed_away',
    hostname: 'shop.moved-all.test',
    zones: [
      {
        zone: 'moved-all.test',
        servers: [{ name: 'ns1.other-provider.test', role: 'third' }],
        records: ['shop A 127.0.80.10'],
      },
    ],
    known: live,
  },
  {
    says: 'the record of a live name was deleted',
    cause: 'dns.no_record',
    also: ['own.lost'],
    hostname: 'shop.deleted-record.test',
    zones: [{ zone: 'deleted-record.test', records: ['www A 127.0.80.10'] }],
    known: live,
  },
  {
    says: 'an address of another host next to ours at a live apex is a mistake, not a move',
    cause: 'dns.mixed_targets',
    hostname: 'second-address.test',
    zones: [{ zone: 'second-address.test', records: ['@ A 127.0.80.1', '@ A 127.0.80.10'] }],
    known: { ...live, wasTokenSeen: true },
  },
  {
    says: 'a live domain is no longer registered',
    cause: 'drift.domain_expired',
    hostname: 'shop.run-out-domain.test',
    zones: [],
    known: live,
  },
  {
    says: 'the registrar parks a live domain that was not renewed',
    cause: 'drift.domain_expired',
    hostname: 'shop.parked-domain.test',
    zones: [
      {
        zone: 'parked-domain.test',
        servers: [{ name: 'ns1.sedoparking.com', role: 'third' }],
        records: ['@ A 127.0.80.11', 'shop A 127.0.80.11'],
      },
    ],
    known: live,
  },
  {
    says: 'a nameserver of a live name does not answer: the name stays as it is',
    cause: 'zone.ns_unreachable',
    hostname: 'shop.live-half.test',
    zones: [
      {
        zone: 'live-half.test',
        servers: [
          { name: 'ns1.live-half.test', role: 'first' },
          { name: 'ns2.live-half.test', role: 'silent' },
        ],
        records: [`shop CNAME ${TARGET}.`],
      },
    ],
    known: live,
  },
  {
    says: 'a live name with correct records: nothing is wrong',
    cause: null,
    hostname: 'shop.live-well.test',
    zones: [{ zone: 'live-well.test', records: [`shop CNAME ${TARGET}.`] }],
    known: live,
  },
  {
    says: 'a live apex whose TXT record was verified once and then deleted: nothing is wrong',
    cause: null,
    hostname: 'live-apex.test',
    zones: [{ zone: 'live-apex.test', records: ['@ A 127.0.80.1'] }],
    known: { ...live, wasTokenSeen: true },
  },
]
