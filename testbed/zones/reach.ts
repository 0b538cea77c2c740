// Fixtures of reachability: what responds at the addresses of a name, and what is in front of
// it. Real web servers of the test internet respond; `plays` selects the one for an address that
// only the open internet has, such as one of Cloudflare's.

import { webRoles, type WebRoleName } from '../internet/web.ts'
import { TOKEN, type Fixture } from './fixture.ts'
import { letThrough, PASSING, serversOf } from './providers.ts'

const CLOUD = '104.16.8.1'
const IP6 = '2001:db8::80'

/** A subdomain behind a proxy of its owner, proven by the token; its traffic ends elsewhere. */
const ownProxy = (name: string, at: string): Pick<Fixture, 'hostname' | 'zones'> => ({
  hostname: `shop.${name}`,
  zones: [{ zone: name, records: [`shop A ${at}`, `_petstore.shop TXT "${TOKEN}"`] }],
})

/** A subdomain behind Cloudflare's orange cloud, with the responses of that web server. */
const clouded = (name: string, role?: WebRoleName): Pick<Fixture, 'hostname' | 'zones' | 'plays'> => ({
  hostname: `cloud.${name}`,
  zones: [
    {
      zone: name,
      servers: serversOf('cloudflare'),
      records: [`cloud A ${CLOUD}`, `_petstore.cloud TXT "${TOKEN}"`],
    },
  ],
  ...(role && { plays: { [CLOUD]: role } }),
})

const answers: readonly Fixture[] = [
  {
    says: 'an owner’s proxy leads to another website',
    cause: 'http.not_us',
    ...ownProxy('proxy-elsewhere.test', '127.0.80.10'),
  },
  {
    says: 'an owner’s proxy does not know the site',
    cause: 'http.not_us',
    ...ownProxy('proxy-unknown.test', '127.0.80.20'),
  },
  {
    says: 'an owner’s proxy is down',
    cause: 'http.not_us',
    ...ownProxy('proxy-down.test', '127.0.80.21'),
  },
  {
    says: 'the server at the address does not speak HTTP',
    cause: 'http.not_us',
    ...ownProxy('proxy-noise.test', '127.0.80.16'),
  },
  {
    says: 'the server at the address sends an endless response',
    cause: 'http.not_us',
    ...ownProxy('proxy-endless.test', '127.0.80.24'),
  },
  {
    says: 'an owner’s proxy never responds',
    cause: 'http.timeout',
    ...ownProxy('proxy-silent.test', '127.0.80.14'),
  },
  {
    says: 'there is no server at the address of the owner’s proxy',
    cause: 'http.refused',
    ...ownProxy('proxy-refused.test', '127.0.80.13'),
  },
  {
    says: 'a firewall resets every connection',
    cause: 'http.reset',
    ...ownProxy('proxy-reset.test', '127.0.80.15'),
  },
  {
    says: 'a login page protects the check path',
    cause: 'http.challenge_intercepted',
    ...ownProxy('proxy-login.test', '127.0.80.17'),
  },
  {
    says: 'the check path is forbidden',
    cause: 'http.challenge_intercepted',
    ...ownProxy('proxy-forbidden.test', '127.0.80.18'),
  },
  {
    says: 'a proven name behind its owner’s proxy no longer reaches us',
    cause: 'http.not_us',
    hostname: 'shop.proxy-drifted.test',
    zones: [{ zone: 'proxy-drifted.test', records: ['shop A 127.0.80.21'] }],
    also: ['own.lost'],
    known: { isProven: true, wasTokenSeen: true },
  },
  {
    // Without a token there is no evidence of a proxy: then it is a conflicting record.
    says: 'the server at an old address is a remark next to the record',
    cause: 'dns.conflict_a',
    also: ['http.challenge_intercepted'],
    hostname: 'shop.old-login.test',
    zones: [{ zone: 'old-login.test', records: ['shop A 127.0.80.17'] }],
  },
]

const redirects: readonly Fixture[] = (
  [
    ['with a status that authorities do not follow', '303', 'redirect-303'],
    ['to another port', 'port', 'redirect-port'],
    ['to another kind of address', 'scheme', 'redirect-scheme'],
    ['in a circle', 'loop', 'redirect-loop'],
    ['further and further', 'many', 'redirect-many'],
    ['to www', 'www', 'redirect-www'],
    ['to https, in a circle', 'https', 'redirect-https'],
  ] as const
).map(([how, word, role]): Fixture => ({
  says: `certificate checks are redirected ${how}`,
  cause: 'http.bad_redirect',
  ...ownProxy(`redirect-${word}.test`, webRoles[role].address),
}))

const families: readonly Fixture[] = [
  {
    says: 'the domain itself has our A record, and an AAAA record to an address without a server',
    cause: 'http.ipv6_broken',
    hostname: 'dead-ip6.test',
    zones: [{ zone: 'dead-ip6.test', records: ['@ A 127.0.80.1', `@ AAAA ${IP6}`, `_petstore TXT "${TOKEN}"`] }],
    plays: { [IP6]: 'refusing' },
  },
  {
    says: 'a proxy reaches us over IPv4, and never responds over IPv6',
    cause: 'http.ipv6_broken',
    hostname: 'shop.silent-ip6.test',
    zones: [
      {
        zone: 'silent-ip6.test',
        records: ['shop A 127.0.80.2', `shop AAAA ${IP6}`, `_petstore.shop TXT "${TOKEN}"`],
      },
    ],
    plays: { [IP6]: 'silent' },
    before: letThrough,
  },
  {
    says: 'one of two addresses reaches us, and the other one shows another website',
    cause: 'dns.mixed_targets',
    also: ['http.ip_discrepancy'],
    hostname: 'shop.two-ways.test',
    zones: [
      {
        zone: 'two-ways.test',
        records: ['shop A 127.0.80.2', 'shop A 127.0.80.10', `_petstore.shop TXT "${TOKEN}"`],
      },
    ],
    before: letThrough,
  },
  {
    says: 'two addresses of a proxy respond differently, and neither reaches us',
    cause: 'http.not_us',
    also: ['http.refused', 'http.ip_discrepancy'],
    hostname: 'shop.two-faces.test',
    zones: [
      {
        zone: 'two-faces.test',
        records: ['shop A 127.0.80.10', 'shop A 127.0.80.13', `_petstore.shop TXT "${TOKEN}"`],
      },
    ],
  },
]

const clouds: readonly Fixture[] = [
  {
    says: 'traffic reaches us through Cloudflare',
    cause: 'proxy.cloudflare_ok',
    ...clouded('cloud-ok.test', PASSING),
    before: letThrough,
  },
  {
    says: 'the orange cloud is on, and another website responds',
    cause: 'proxy.cloudflare_blocks',
    ...clouded('cloud-other.test', 'other'),
  },
  {
    says: 'the orange cloud is on, and the server behind it could not be checked',
    cause: 'proxy.cloudflare_blocks',
    ...clouded('cloud-unasked.test'),
  },
  {
    says: 'the orange cloud requires a browser challenge',
    cause: 'proxy.cloudflare_blocks',
    also: ['http.challenge_intercepted'],
    ...clouded('cloud-browser.test', 'browser-check'),
  },
  {
    says: 'Cloudflare redirects from https to https in a loop',
    cause: 'proxy.cloudflare_flexible_loop',
    ...clouded('cloud-flexible.test', 'cloudflare-flexible'),
  },
  {
    says: 'Cloudflare rejects a CNAME between two accounts',
    cause: 'proxy.cloudflare_1014',
    ...clouded('cloud-1014.test', 'cloudflare-1014'),
  },
  {
    says: 'Cloudflare rejects an address of its own',
    cause: 'proxy.cloudflare_1000',
    ...clouded('cloud-1000.test', 'cloudflare-1000'),
  },
  ...([520, 521, 522, 525, 526] as const).map((status): Fixture => ({
    says: `Cloudflare cannot reach the server behind it (${status})`,
    cause: 'proxy.cloudflare_52x',
    ...clouded(`cloud-${status}.test`, `cloudflare-${status}`),
  })),
  {
    says: 'Cloudflare sends checks to https, where there is no certificate yet',
    cause: 'proxy.cloudflare_52x',
    also: ['proxy.cloudflare_always_https'],
    ...clouded('cloud-https.test', 'cloudflare-always-https'),
  },
  {
    says: 'an address of Cloudflare’s in a zone elsewhere is a conflicting record',
    cause: 'dns.conflict_a',
    hostname: 'shop.cloud-elsewhere.test',
    zones: [{ zone: 'cloud-elsewhere.test', records: [`shop A ${CLOUD}`] }],
    plays: { [CLOUD]: 'missing' },
  },
]

const otherProxies: readonly Fixture[] = [
  {
    says: 'another proxy does not know the name',
    cause: 'proxy.other_cdn',
    hostname: 'shop.cdn-unknown.test',
    zones: [{ zone: 'cdn-unknown.test', records: ['shop A 127.0.80.49'] }],
  },
  {
    says: 'traffic reaches us through another proxy that identifies itself',
    cause: 'proxy.other_cdn',
    hostname: 'fast.cdn-ok.test',
    zones: [{ zone: 'cdn-ok.test', records: ['fast A 127.0.80.2', `_petstore.fast TXT "${TOKEN}"`] }],
    before: letThrough,
  },
  {
    says: 'traffic reaches us through the owner’s proxy',
    cause: null,
    hostname: 'shop.proxy-ok.test',
    zones: [{ zone: 'proxy-ok.test', records: ['shop A 127.0.80.2', `_petstore.shop TXT "${TOKEN}"`] }],
    before: letThrough,
  },
  {
    says: 'the domain itself reaches us through the owner’s proxy',
    cause: null,
    hostname: 'proxy-ok-apex.test',
    zones: [{ zone: 'proxy-ok-apex.test', records: ['@ A 127.0.80.2', `_petstore TXT "${TOKEN}"`] }],
    before: letThrough,
  },
]

export const reachFixtures: readonly Fixture[] = [...answers, ...redirects, ...families, ...clouds, ...otherProxies]
