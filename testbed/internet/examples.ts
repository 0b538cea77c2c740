// The initial zones of `npm run world`: one for each of the most frequent troubles, and a correct one.

import type { WorldZone } from './zones.ts'

type Example = { about: string; zone: WorldZone }

const cloudflare = [
  { name: 'amy.ns.cloudflare.com', role: 'first' as const },
  { name: 'bob.ns.cloudflare.com', role: 'second' as const },
]

export const examples: readonly Example[] = [
  {
    about: 'an old A record where our CNAME belongs (name: shop)',
    zone: {
      zone: 'willow-street.test',
      records: ['@ A 127.0.80.10', 'shop A 127.0.80.10', 'www CNAME @', '@ MX 10 mail'],
      ttl: 60,
    },
  },
  {
    about: 'everything right, signed (name: www)',
    zone: {
      zone: 'happy-tails.test',
      records: ['www CNAME happy-paws.petstore.test.', '@ A 127.0.80.10'],
      signing: 'good',
    },
  },
  {
    about: 'at Cloudflare, target with the zone doubled (name: shop)',
    zone: { zone: 'paws-and-claws.test', servers: cloudflare, records: ['shop CNAME happy-paws.petstore.test'] },
  },
  {
    about: 'two nameservers that disagree (name: shop)',
    zone: {
      zone: 'two-minds.test',
      servers: [
        { name: 'ns1.two-minds.test', role: 'first' },
        { name: 'ns2.two-minds.test', role: 'second', records: ['shop A 127.0.80.11'] },
      ],
      records: ['shop CNAME happy-paws.petstore.test.'],
    },
  },
  {
    about: 'signed, but the key at the registry is another one',
    zone: { zone: 'lost-key.test', records: ['shop CNAME happy-paws.petstore.test.'], signing: 'wrong_ds' },
  },
  {
    about: 'signed, but the signatures have run out',
    zone: { zone: 'old-key.test', records: ['shop CNAME happy-paws.petstore.test.'], signing: 'expired' },
  },
  {
    about: 'its nameserver never answers',
    zone: { zone: 'asleep.test', servers: [{ name: 'ns1.asleep.test', role: 'silent' }], records: [] },
  },
  {
    about: 'its nameserver does not know it',
    zone: { zone: 'moved-out.test', servers: [{ name: 'ns1.moved-out.test', role: 'lame' }], records: [] },
  },
  {
    about: 'registered, but with no nameservers',
    zone: { zone: 'unconnected.test', records: ['shop CNAME happy-paws.petstore.test.'], isUndelegated: true },
  },
  {
    about: 'allows another certificate authority only (CAA)',
    zone: { zone: 'picky.test', records: ['shop CNAME happy-paws.petstore.test.', '@ CAA 0 issue "other-ca.test"'] },
  },
]
