// Fixtures of ownership: whether the project has proven it. A subdomain is proven by its CNAME;
// the TXT record is required of an apex, behind a proxy, and wherever another project has the
// name, guards it, or had it before.

import { question } from '../internet/dns-query.ts'
import { resolvers } from '../internet/roles.ts'
import { TARGET, TOKEN, type Fixture } from './fixture.ts'
import { letThrough, PASSING, serversOf } from './providers.ts'

const OLD_TOKEN = 'petstore-verify=0ld0ld0ld0ld0ld0ld0ld0ld0l'
const HALF = TOKEN.length / 2

/** An apex that points here; the fixtures differ in the state of its token. */
const apex = (zone: string, ...records: readonly string[]): Pick<Fixture, 'hostname' | 'zones'> => ({
  hostname: zone,
  zones: [{ zone, records: ['@ A 127.0.80.1', ...records] }],
})

/** A subdomain with our CNAME. */
const shop = (zone: string, ...records: readonly string[]): Pick<Fixture, 'hostname' | 'zones'> => ({
  hostname: `shop.${zone}`,
  zones: [{ zone, records: [`shop CNAME ${TARGET}.`, ...records] }],
})

const missing: readonly Fixture[] = [
  { says: 'an apex has our address and no token', cause: 'own.txt_missing', ...apex('no-token.test') },
  {
    says: 'an apex at Namecheap has our address and no token',
    cause: 'own.txt_missing',
    hostname: 'no-token-namecheap.test',
    zones: [{ zone: 'no-token-namecheap.test', servers: serversOf('namecheap'), records: ['@ A 127.0.80.1'] }],
  },
  {
    says: 'a name reaches us through a proxy, and has no token',
    cause: 'own.txt_missing',
    hostname: 'shop.no-token-proxied.test',
    zones: [{ zone: 'no-token-proxied.test', records: ['shop A 192.0.2.77'] }],
    plays: { '192.0.2.77': PASSING },
    before: letThrough,
  },
  {
    says: 'another project has the parent domain, so a CNAME is not enough',
    cause: 'own.txt_missing',
    ...shop('guarded.test'),
    known: { isGuardedByOther: true },
  },
]

const wrong: readonly Fixture[] = [
  {
    says: 'the TXT record has another value',
    cause: 'own.txt_mismatch',
    ...apex('other-text.test', '_petstore TXT "google-site-verification=abc"'),
  },
  {
    says: 'the TXT record lacks the last letter of the token',
    cause: 'own.txt_mismatch',
    ...apex('cut-text.test', `_petstore TXT "${TOKEN.slice(0, -1)}"`),
  },
  {
    says: 'the TXT record is from an earlier set-up',
    cause: 'own.txt_stale',
    ...apex('old-text.test', `_petstore TXT "${OLD_TOKEN}"`),
    known: { staleTokens: [OLD_TOKEN] },
  },
  {
    // An owner who has published a token already needs to know first what is wrong with it.
    says: 'a name that another project has is not moved by a token from an earlier set-up',
    cause: 'own.txt_stale',
    also: ['own.contested'],
    ...shop('old-text-contested.test', `_petstore.shop TXT "${OLD_TOKEN}"`),
    known: { isHeldByOther: true, staleTokens: [OLD_TOKEN] },
  },
  {
    says: 'the TXT record has the domain twice in its name',
    cause: 'own.txt_wrong_name',
    ...apex('doubled-text.test', `_petstore.doubled-text.test TXT "${TOKEN}"`),
  },
  {
    says: 'the TXT record is at the name itself',
    cause: 'own.txt_wrong_name',
    ...apex('text-at-name.test', `@ TXT "${TOKEN}"`, '@ TXT "v=spf1 -all"'),
  },
]

const harmless: readonly Fixture[] = [
  {
    says: 'the provider added quotes to the TXT record',
    cause: 'own.txt_quoted_or_split',
    ...apex('quoted-text.test', String.raw`_petstore TXT "\"${TOKEN}\""`),
  },
  {
    says: 'the provider cut the TXT record into two strings',
    cause: 'own.txt_quoted_or_split',
    ...apex('split-text.test', `_petstore TXT "${TOKEN.slice(0, HALF)}" "${TOKEN.slice(HALF)}"`),
  },
  {
    says: 'a TXT record next to others counts',
    cause: null,
    ...apex('among-texts.test', `_petstore TXT "${TOKEN}"`, '_petstore TXT "something else"'),
  },
  {
    says: 'a name that another project guards is proven by the token',
    cause: null,
    ...shop('guarded-proven.test', `_petstore.shop TXT "${TOKEN}"`),
    known: { isGuardedByOther: true },
  },
  {
    says: 'the token may be deleted once it was verified',
    cause: null,
    ...apex('token-deleted.test'),
    known: { isProven: true, wasTokenSeen: true, isLive: true },
  },
]

const others: readonly Fixture[] = [
  {
    says: 'another project has the name',
    cause: 'own.contested',
    ...shop('contested.test'),
    known: { isHeldByOther: true },
  },
  {
    says: 'another project has the apex',
    cause: 'own.contested',
    ...apex('contested-apex.test'),
    known: { isHeldByOther: true },
  },
  {
    says: 'another project has the name, which no longer has a record',
    cause: 'own.contested',
    also: ['dns.no_record'],
    hostname: 'shop.contested-empty.test',
    zones: [{ zone: 'contested-empty.test', records: [] }],
    known: { isHeldByOther: true },
  },
  {
    says: 'a name moves here from another project by the token',
    cause: null,
    ...shop('contested-proven.test', `_petstore.shop TXT "${TOKEN}"`),
    known: { isHeldByOther: true },
  },
  {
    says: 'a missing token comes before CAA',
    cause: 'own.txt_missing',
    also: ['caa.blocked'],
    ...apex('no-token-caa.test', '@ CAA 0 issue "other-ca.test"'),
  },
  {
    says: 'the CNAME was there before the project',
    cause: 'own.cname_older_than_project',
    ...shop('older-cname.test'),
    known: { isCnameOlder: true },
  },
  {
    // What the owner has to do comes first; that the domain is no longer proven follows from it.
    says: 'a proven name lost its record',
    cause: 'dns.no_record',
    also: ['own.lost'],
    hostname: 'shop.lost.test',
    zones: [{ zone: 'lost.test', records: [] }],
    known: { isProven: true },
  },
  {
    says: 'a proven apex that was never live leads to another website',
    cause: 'dns.conflict_a',
    also: ['own.lost', 'http.not_us'],
    hostname: 'lost-apex.test',
    zones: [{ zone: 'lost-apex.test', records: ['@ A 127.0.80.10'] }],
    known: { isProven: true, wasTokenSeen: true },
  },
  {
    // Resolvers are not queried for a name that its servers deny, so only a replaced text reveals what they cached.
    says: 'only resolvers still have the overwritten token cached',
    cause: 'own.txt_mismatch',
    also: ['own.token_only_in_cache'],
    hostname: 'remembered-token.test',
    zones: [{ zone: 'remembered-token.test', ttl: 600, records: ['@ A 127.0.80.1', `_petstore TXT "${TOKEN}"`] }],
    remembers: true,
    async before(world) {
      const query = {
        port: world.ports.resolver,
        name: '_petstore.remembered-token.test',
        type: 'TXT',
        rd: true,
      } as const
      await Promise.all(resolvers.map(({ address }) => question({ ...query, address, waitMs: 2000 })))
      await world.edit('remembered-token.test', { remove: ['_petstore TXT'], add: ['_petstore TXT "parcel-verify=1"'] })
    },
  },
]

export const ownershipFixtures: readonly Fixture[] = [...missing, ...wrong, ...harmless, ...others]
