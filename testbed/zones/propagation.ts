// Fixtures of propagation: the record is correct, and a resolver has cached the previous one.
// The resolver is queried first, as some visitor would have done, then the owner makes the
// change.

import type { FirstCheck } from '../../server/src/domains/observing/evidence.ts'
import { question } from '../internet/dns-query.ts'
import type { World } from '../internet/world.ts'
import { TARGET, TOKEN, type Fixture } from './fixture.ts'

const right = [`shop CNAME ${TARGET}.`]
/** Ten minutes: longer than every test, and short enough to end on the same day. */
const ttl = 600

type CachedQuery = { name: string; type: 'A' | 'AAAA' | 'CNAME' | 'TXT' | 'NS' }

/** Makes the first resolver, or both, cache the current answers. */
async function fillCache(
  { dns }: World,
  queries: readonly CachedQuery[],
  resolvers: World['dns']['resolvers'] = dns.resolvers.slice(0, 1),
): Promise<void> {
  const pending = resolvers.flatMap(({ address, port }) =>
    queries.map((one) => ({ ...one, address, port, rd: true, waitMs: 3000 })),
  )
  const heard = await Promise.all(pending.map((one) => question(one)))
  if (heard.includes(null)) throw new Error('A resolver of the world did not answer, so it remembers nothing.')
}

const pointers = (name: string): CachedQuery[] => (['CNAME', 'A', 'AAAA'] as const).map((type) => ({ name, type }))

const firstCheck = (values: readonly string[], delegated: readonly string[] = []): FirstCheck => ({
  at: Date.UTC(2026, 0, 1),
  rememberedUntil: Date.UTC(2100, 0, 1),
  values,
  serials: {},
  delegated,
})

const negative: readonly Fixture[] = [
  {
    says: 'a resolver has cached that the name did not exist',
    cause: 'prop.negative_cache',
    hostname: 'shop.not-yet.test',
    zones: [{ zone: 'not-yet.test', records: ['www A 127.0.80.10'], ttl }],
    remembers: true,
    async before(world) {
      await fillCache(world, pointers('shop.not-yet.test'))
      await world.edit('not-yet.test', { add: right })
    },
  },
  {
    says: 'all resolvers that we query have cached that the name did not exist',
    cause: 'prop.negative_cache',
    hostname: 'shop.nowhere-yet.test',
    zones: [{ zone: 'nowhere-yet.test', records: [], ttl }],
    remembers: true,
    async before(world) {
      await fillCache(world, pointers('shop.nowhere-yet.test'), world.dns.resolvers)
      await world.edit('nowhere-yet.test', { add: right })
    },
  },
  {
    says: 'a resolver has cached that the name had no record of this type',
    cause: 'prop.negative_cache',
    hostname: 'shop.other-kind.test',
    zones: [{ zone: 'other-kind.test', records: ['shop TXT "reserved"'], ttl }],
    remembers: true,
    async before(world) {
      await fillCache(world, pointers('shop.other-kind.test'))
      await world.edit('other-kind.test', { remove: ['shop'], add: right })
    },
  },
  {
    says: 'a resolver has cached that the TXT record did not exist',
    cause: 'prop.negative_cache',
    hostname: 'no-token-yet.test',
    zones: [{ zone: 'no-token-yet.test', records: ['@ A 127.0.80.1'], ttl }],
    remembers: true,
    async before(world) {
      await fillCache(world, [{ name: '_petstore.no-token-yet.test', type: 'TXT' }])
      await world.edit('no-token-yet.test', { add: [`_petstore TXT "${TOKEN}"`] })
    },
  },
]

const old: readonly Fixture[] = [
  {
    says: 'a resolver has cached the CNAME of the old host',
    cause: 'prop.old_ttl',
    hostname: 'shop.old-cname.test',
    zones: [{ zone: 'old-cname.test', records: ['shop CNAME www', 'www A 127.0.80.10'], ttl }],
    remembers: true,
    async before(world) {
      await fillCache(world, pointers('shop.old-cname.test'))
      await world.edit('old-cname.test', { remove: ['shop'], add: right })
    },
  },
  {
    says: 'a resolver has cached the address of the old host',
    cause: 'prop.old_ttl',
    hostname: 'shop.old-address.test',
    zones: [{ zone: 'old-address.test', records: ['shop A 127.0.80.10'], ttl }],
    remembers: true,
    async before(world) {
      await fillCache(world, [{ name: 'shop.old-address.test', type: 'A' }])
      await world.edit('old-address.test', { remove: ['shop'], add: right })
    },
  },
  {
    says: 'a resolver has cached the old address of an apex',
    cause: 'prop.old_ttl',
    hostname: 'old-apex.test',
    zones: [{ zone: 'old-apex.test', records: ['@ A 127.0.80.10', `_petstore TXT "${TOKEN}"`], ttl }],
    remembers: true,
    async before(world) {
      await fillCache(world, [{ name: 'old-apex.test', type: 'A' }])
      await world.edit('old-apex.test', { remove: ['@ A'], add: ['@ A 127.0.80.1'] })
    },
  },
  {
    says: 'cached answers come after what is still wrong',
    cause: 'dns.cname_wrong',
    hostname: 'shop.old-and-wrong.test',
    zones: [{ zone: 'old-and-wrong.test', records: ['shop A 127.0.80.10'], ttl }],
    remembers: true,
    async before(world) {
      await fillCache(world, [{ name: 'shop.old-and-wrong.test', type: 'A' }])
      await world.edit('old-and-wrong.test', { remove: ['shop'], add: ['shop CNAME other-host.test.'] })
    },
  },
]

const keys: readonly Fixture[] = [
  {
    says: 'DNSSEC was turned off at the registrar, and resolvers still validate with the old key',
    cause: 'prop.old_ttl',
    hostname: 'shop.old-key.test',
    zones: [{ zone: 'old-key.test', records: right, ds: 'left', ttl }],
    remembers: true,
    async before(world) {
      await fillCache(world, pointers('shop.old-key.test'), world.dns.resolvers)
      await world.edit('test', { remove: ['old-key.test. DS'] })
    },
  },
  {
    says: 'a resolver has cached that a name in a signed zone did not exist',
    cause: 'prop.negative_cache',
    hostname: 'shop.signed-not-yet.test',
    zones: [{ zone: 'signed-not-yet.test', records: ['www A 127.0.80.10'], signing: 'good', ttl }],
    remembers: true,
    async before(world) {
      await fillCache(world, pointers('shop.signed-not-yet.test'))
      await world.edit('signed-not-yet.test', { add: right })
    },
  },
]

/** The registry and the new provider list the new nameserver, and no other server does yet. */
async function move(world: World, zone: string, from: string, to: string): Promise<void> {
  // The last NS record of a zone cannot be removed, so the new one comes first.
  await world.edit(zone, { add: [`@ ${ttl} NS ${to}.`] }, ['third'])
  await world.edit(zone, { remove: [`@ NS ${from}.`] }, ['third'])
  await world.edit('test', { remove: [`${zone}. NS ${from}.`], add: [`${zone}. ${ttl} NS ${to}.`] })
}

const moved: readonly Fixture[] = [
  {
    says: 'the nameservers were changed, and resolvers still query the old ones',
    cause: 'prop.ns_change',
    hostname: 'shop.moved-dns.test',
    zones: [
      {
        zone: 'moved-dns.test',
        servers: [
          { name: 'ns1.former-dns.test', role: 'first', records: ['shop CNAME www', 'www A 127.0.80.10'] },
          { name: 'ns1.present-dns.test', role: 'third' },
        ],
        records: right,
        delegated: ['ns1.former-dns.test'],
        own: ['ns1.former-dns.test'],
        ttl,
      },
    ],
    known: { firstCheck: firstCheck(['CNAME www.moved-dns.test'], ['ns1.former-dns.test']) },
    remembers: true,
    async before(world) {
      await fillCache(
        world,
        [{ name: 'moved-dns.test', type: 'NS' }, ...pointers('shop.moved-dns.test')],
        world.dns.resolvers,
      )
      await move(world, 'moved-dns.test', 'ns1.former-dns.test', 'ns1.present-dns.test')
    },
  },
]

export const propagationFixtures: readonly Fixture[] = [...negative, ...old, ...keys, ...moved]
