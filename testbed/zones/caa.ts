// Fixtures of CAA: which certificate authorities the owner allows. An apex is subject to the
// owner's own CAA records; a subdomain to ours, through its CNAME, so fixtures in which the
// owner's records matter for a subdomain have a platform that publishes none.

import type { Authority } from '../../server/src/domains/observing/evidence.ts'
import type { WorldZone } from '../internet/world.ts'
import { TARGET, TOKEN, type Fixture } from './fixture.ts'
import { serversOf } from './providers.ts'

/** An apex that is correct except for these CAA records. */
const apex = (zone: string, ...caa: readonly string[]) => apexAt(zone, undefined, caa)

const apexAt = (
  zone: string,
  servers: WorldZone['servers'],
  caa: readonly string[],
): Pick<Fixture, 'hostname' | 'zones'> => ({
  hostname: zone,
  zones: [
    {
      zone,
      ...(servers && { servers }),
      records: ['@ A 127.0.80.1', `_petstore TXT "${TOKEN}"`, ...caa.map((line) => `@ CAA ${line}`)],
    },
  ],
})

/** Another platform, whose own CAA records are these. */
function platform(
  host: string,
  ...caa: readonly string[]
): { zone: WorldZone; wanted: NonNullable<Fixture['wanted']> } {
  return {
    zone: {
      zone: host,
      servers: [{ name: `ns1.${host}`, role: 'platform' }],
      records: ['* A 127.0.80.1', ...caa.map((line) => `* CAA ${line}`)],
    },
    wanted: { target: `happy-paws.${host}`, platformHost: host },
  }
}

const first: Authority = {
  name: "Let's Encrypt",
  domain: 'letsencrypt.org',
  accountUri: 'https://acme.test/acct/1',
  methods: ['http-01'],
}
const second: Authority = { name: 'Google Trust Services', domain: 'pki.goog', accountUri: null, methods: ['http-01'] }

const forbidding: readonly Fixture[] = [
  {
    says: 'a CAA record allows another authority only',
    cause: 'caa.blocked',
    ...apex('caa-other.test', '0 issue "other-ca.test"'),
  },
  {
    says: 'CAA records allow two other authorities',
    cause: 'caa.blocked',
    ...apex('caa-two-others.test', '0 issue "other-ca.test"', '0 issue "third-ca.test"'),
  },
  {
    says: 'a CAA record allows another authority only, with advice for Cloudflare',
    cause: 'caa.blocked',
    ...apexAt('caa-cloudflare.test', serversOf('cloudflare'), ['0 issue "digicert.com"']),
  },
  {
    says: 'a CAA record that misspells our authority allows another',
    cause: 'caa.blocked',
    ...apex('caa-misspelt.test', '0 issue "letsencrypt.com"'),
  },
  {
    says: 'a CAA record forbids every certificate',
    cause: 'caa.blocked_by_deny_all',
    ...apex('caa-none.test', '0 issue ";"'),
  },
  {
    says: 'a CAA record that cannot be parsed forbids every certificate',
    cause: 'caa.blocked_by_deny_all',
    ...apex('caa-unreadable.test', '0 issue "%%%%%"'),
  },
  {
    says: 'a CAA record is tied to another account',
    cause: 'caa.account_bound',
    ...apex('caa-account.test', '0 issue "letsencrypt.org; accounturi=https://acme.test/acct/2"'),
  },
  {
    says: 'a CAA record allows only a validation method that we do not support',
    cause: 'caa.method_bound',
    ...apex('caa-method.test', '0 issue "letsencrypt.org; validationmethods=dns-01"'),
  },
  {
    says: 'a critical CAA record is unknown to our authority',
    cause: 'caa.critical_unknown',
    ...apex('caa-critical.test', '128 tbs "unknown"', '0 issue "letsencrypt.org"'),
  },
  {
    says: 'our authority may not issue wildcard certificates',
    cause: 'caa.wild_blocked',
    hostname: '*.caa-wild.test',
    zones: [
      {
        zone: 'caa-wild.test',
        records: [`* CNAME ${TARGET}.`, '@ CAA 0 issue "letsencrypt.org"', '@ CAA 0 issuewild "other-ca.test"'],
      },
    ],
  },
  {
    says: 'our first authority is excluded, so the second is used',
    cause: 'caa.fallback_ca_used',
    ...apex('caa-fallback.test', '0 issue "pki.goog"'),
    wanted: { authorities: [first, second] },
  },
  {
    says: 'neither of our authorities is allowed',
    cause: 'caa.blocked',
    ...apex('caa-neither.test', '0 issue "other-ca.test"'),
    wanted: { authorities: [first, second] },
  },
]

const noCaa = platform('no-caa-host.test')
const leftOut = platform('left-out-host.test', '0 issue "other-ca.test"')

const elsewhere: readonly Fixture[] = [
  {
    says: 'our own CAA records do not list our authority',
    cause: 'caa.via_target',
    hostname: 'shop.caa-via-target.test',
    zones: [leftOut.zone, { zone: 'caa-via-target.test', records: [`shop CNAME ${leftOut.wanted.target}.`] }],
    wanted: leftOut.wanted,
  },
  {
    says: 'a CAA record at the apex blocks a subdomain of a platform that publishes none',
    cause: 'caa.blocked',
    hostname: 'shop.caa-above.test',
    zones: [
      noCaa.zone,
      {
        zone: 'caa-above.test',
        records: [`shop CNAME ${noCaa.wanted.target}.`, '@ CAA 0 issue "other-ca.test"'],
      },
    ],
    wanted: noCaa.wanted,
  },
  {
    says: 'a CAA record behind a CNAME in between blocks the name below it',
    cause: 'caa.blocked',
    hostname: 'shop.eu.caa-behind.test',
    zones: [
      {
        zone: 'caa-behind.test',
        records: [
          'shop.eu CNAME happy-paws.no-caa-host.test.',
          'eu CNAME europe',
          'europe CAA 0 issue "other-ca.test"',
        ],
      },
    ],
    wanted: noCaa.wanted,
  },
  {
    says: 'a CAA record of the parent zone blocks a child zone',
    cause: 'caa.blocked',
    hostname: 'shop.caa-parent.test',
    zones: [
      { zone: 'caa-parent.test', records: ['@ CAA 0 issue "other-ca.test"'] },
      { zone: 'shop.caa-parent.test', records: ['@ A 127.0.80.1', `_petstore TXT "${TOKEN}"`] },
    ],
  },
  {
    says: 'the nameserver answers SERVFAIL for CAA',
    cause: 'caa.lookup_failed',
    hostname: 'shop.caa-servfail.hostile.test',
    zones: [],
  },
  {
    says: 'the nameserver answers NOTIMP for CAA',
    cause: 'caa.lookup_failed',
    hostname: 'shop.caa-notimp.hostile.test',
    zones: [],
  },
  {
    says: 'the nameserver never answers for CAA',
    cause: 'caa.lookup_failed',
    hostname: 'shop.caa-silent.hostile.test',
    zones: [],
  },
  {
    says: 'a missing record comes before CAA',
    cause: 'dns.no_record',
    also: ['caa.blocked'],
    hostname: 'caa-and-empty.test',
    zones: [{ zone: 'caa-and-empty.test', records: ['@ CAA 0 issue "other-ca.test"'] }],
  },
]

const allowing: readonly Fixture[] = [
  {
    says: 'a restrictive CAA record at the apex does not matter for a subdomain with our CNAME',
    cause: null,
    hostname: 'shop.caa-immune.test',
    zones: [
      {
        zone: 'caa-immune.test',
        records: [`shop CNAME ${TARGET}.`, '@ CAA 0 issue "other-ca.test"'],
      },
    ],
  },
  {
    says: 'a CAA record names our authority among others',
    cause: null,
    ...apex('caa-among.test', '0 issue "other-ca.test"', '0 issue "letsencrypt.org"'),
  },
  {
    says: 'a CAA record is tied to our account and our validation method',
    cause: null,
    ...apex(
      'caa-ours.test',
      '0 issue "letsencrypt.org; accounturi=https://acme.test/acct/1; validationmethods=http-01,dns-01"',
    ),
  },
  {
    says: 'CAA records that only forbid wildcard certificates do not matter',
    cause: null,
    ...apex('caa-wild-only.test', '0 issuewild ";"', '0 iodef "mailto:owner@caa-wild-only.test"'),
  },
]

export const caaFixtures: readonly Fixture[] = [...forbidding, ...elsewhere, ...allowing]
