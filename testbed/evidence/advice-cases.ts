// Advice cases: one set of records per cause of ownership and pointing, with its expected
// root cause. The expected texts are in `advice.test.ts`, so that both can be reviewed
// together.

import { evidenceOf, wantedFor } from './evidence.ts'
import {
  nothingKnown,
  type Evidence,
  type Known,
  type Probe,
  type Wanted,
} from '../../server/src/domains/observing/evidence.ts'
import type { CauseCode } from '../../server/src/domains/causes/causes.ts'

type Given = Parameters<typeof evidenceOf>[0]

export type AdviceCase = {
  code: CauseCode
  /** Tells several cases of one code apart. */
  of?: string
  /** The root cause, if the code is not the first trouble. */
  root?: CauseCode
  given: Given
  wanted?: Partial<Wanted>
  known?: Partial<Known>
}

export const NOW = 1_800_000_000_000

export const worldOf = ({
  given,
  wanted,
  known,
}: AdviceCase): { wanted: Wanted; evidence: Evidence; known: Known } => ({
  wanted: wantedFor(given.hostname, wanted),
  evidence: evidenceOf(given),
  known: { ...nothingKnown, ...known },
})

export const www = 'www.shop.example'
const former = `${www} CNAME happy-paws.former.example`
export const apex = 'shop.example'
export const target = 'happy-paws.petstore.example'
export const token = 'petstore-verify=3k7q2m9x4w8t6n1v5b0c'
export const right = `${www} CNAME ${target}`
export const aliased = ['shop.example A 192.0.2.10', 'shop.example AAAA 2001:db8::10']
export const proof = `_petstore.shop.example TXT ${token}`
export const elsewhere = '203.0.113.9'

export const godaddy = ['ns01.domaincontrol.com', 'ns02.domaincontrol.com']
export const cloudflare = ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com']
export const namecheap = ['dns1.registrar-servers.com', 'dns2.registrar-servers.com']
export const silent = { kind: 'silence', why: 'timeout' } as const

export const probeOf = (address: string, outcome: Probe['outcome']): Probe => ({
  address,
  url: `http://${www}/.well-known/petstore-probe/x`,
  outcome,
  hops: [],
  ms: 12,
})

const at = (...records: readonly string[]): Given => ({ hostname: www, records })
const atApex = (...records: readonly string[]): Given => ({ hostname: apex, records })
const hops = Array.from({ length: 10 }, (_, index) => `hop${index}.shop.example CNAME hop${index + 1}.shop.example`)

export const ownershipCases: readonly AdviceCase[] = [
  { code: 'own.txt_missing', given: atApex(...aliased) },
  {
    code: 'own.txt_missing',
    of: 'a name under one that another project holds',
    given: at(right),
    known: { isGuardedByOther: true },
  },
  {
    code: 'own.txt_missing',
    of: 'a subdomain behind a proxy',
    given: { ...at(`${www} A ${elsewhere}`), probes: [probeOf(elsewhere, { kind: 'ours' })] },
  },
  { code: 'own.txt_mismatch', given: atApex(...aliased, '_petstore.shop.example TXT petstore-verify=something-else') },
  {
    code: 'own.txt_stale',
    given: atApex(...aliased, '_petstore.shop.example TXT petstore-verify=old'),
    known: { staleTokens: ['petstore-verify=old'] },
  },
  { code: 'own.txt_quoted_or_split', given: atApex(...aliased, `_petstore.shop.example TXT "${token}"`) },
  {
    code: 'own.txt_wrong_name',
    of: 'doubled',
    given: atApex(...aliased, `_petstore.shop.example.shop.example TXT ${token}`),
  },
  { code: 'own.txt_wrong_name', of: 'at the name itself', given: atApex(...aliased, `shop.example TXT ${token}`) },
  { code: 'own.contested', given: at(right), known: { isHeldByOther: true } },
  { code: 'own.cname_older_than_project', given: at(right), known: { isCnameOlder: true } },
  { code: 'own.lost', root: 'dns.no_record', given: at(), known: { isProven: true, isLive: true } },
  {
    code: 'own.token_only_in_cache',
    root: 'own.txt_missing',
    given: { ...atApex(...aliased), checked: [...aliased, proof] },
  },
]

export const pointingCases: readonly AdviceCase[] = [
  { code: 'dns.no_record', given: at() },
  { code: 'dns.no_record', of: 'an apex', given: atApex(proof) },
  { code: 'dns.no_record', of: 'an apex at Namecheap', given: { ...atApex(proof), delegated: namecheap } },
  { code: 'dns.no_record', of: 'a `*` record answers', given: at(`*.shop.example A ${elsewhere}`) },
  { code: 'dns.conflict_a', given: at(`${www} A ${elsewhere}`) },
  { code: 'dns.conflict_a', of: 'beside the CNAME', given: at(right, `${www} A ${elsewhere}`) },
  { code: 'dns.conflict_a', of: 'in a known network', given: at(`${www} A 151.101.1.195`) },
  { code: 'dns.conflict_a', of: 'an apex', given: atApex(`shop.example A ${elsewhere}`, proof) },
  {
    code: 'dns.conflict_a',
    of: 'an apex without ALIAS',
    given: { ...atApex(`shop.example A ${elsewhere}`, proof), delegated: godaddy },
  },
  {
    code: 'dns.conflict_aaaa',
    given: atApex('shop.example A 192.0.2.10', 'shop.example AAAA 2001:db8:dead::1', proof),
  },
  { code: 'dns.a_instead_of_cname', given: at(`${www} A 192.0.2.10`) },
  { code: 'dns.cname_wrong', given: at(`${www} CNAME shops.elsewhere.example`) },
  {
    code: 'dns.cname_other_project',
    given: at(`${www} CNAME bird-house.petstore.example`),
    known: { otherProjects: ['bird-house.petstore.example'] },
  },
  { code: 'dns.cname_unknown_project', given: at(`${www} CNAME bird-house.petstore.example`) },
  { code: 'dns.cname_bare_platform_host', given: at(`${www} CNAME petstore.example`) },
  { code: 'dns.cname_typo', given: at(`${www} CNAME hapy-paws.petstore.example`) },
  { code: 'dns.cname_typo', of: 'a part left out', given: at(`${www} CNAME happy-paws.example`) },
  { code: 'dns.cname_typo', of: 'an address of the web', given: at(`${www} CNAME https\\058\\047\\047${target}`) },
  { code: 'dns.cname_typo', of: 'only the project', given: at(`${www} CNAME happy-paws.shop.example`) },
  {
    code: 'dns.cname_former_host',
    given: at(former, 'happy-paws.former.example A 192.0.2.10'),
    wanted: { formerTargets: ['happy-paws.former.example'] },
  },
  { code: 'dns.cname_zone_appended', given: at(`${www} CNAME ${target}.shop.example`) },
  { code: 'dns.cname_indirect', given: at(`${www} CNAME shop.shop.example`, `shop.shop.example CNAME ${target}`) },
  { code: 'dns.name_doubled', given: at(`${www}.shop.example CNAME ${target}`) },
  {
    code: 'dns.mixed_targets',
    given: atApex(...aliased, `shop.example A ${elsewhere}`, proof),
  },
  { code: 'dns.multiple_cname', given: at(right, `${www} CNAME shops.elsewhere.example`) },
  { code: 'dns.cname_with_others', given: at(right, `${www} MX mail.shop.example`) },
  { code: 'dns.apex_cname_illegal', given: atApex(`shop.example CNAME ${target}`, proof) },
  { code: 'dns.apex_no_alias', given: { ...atApex(proof), delegated: godaddy } },
  { code: 'dns.apex_by_address', given: { ...atApex(...aliased, proof), delegated: godaddy } },
  {
    code: 'dns.alias_stale',
    given: atApex('shop.example A 192.0.2.99', proof),
    wanted: { formerAddresses: ['192.0.2.99'] },
  },
  {
    code: 'dns.url_forwarding',
    given: { ...at(`${www} A 162.255.119.12`), delegated: namecheap },
  },
  {
    code: 'dns.url_forwarding',
    of: 'seen by what it answers',
    given: {
      ...at(`${www} A ${elsewhere}`),
      probes: [
        probeOf(elsewhere, {
          kind: 'redirect',
          status: 302,
          location: 'https://shop.elsewhere.example/',
          refused: null,
        }),
      ],
    },
  },
  { code: 'dns.parked', given: { ...at(`${www} A 34.102.136.180`), delegated: godaddy } },
  { code: 'dns.chain_too_long', given: at(`${www} CNAME hop0.shop.example`, ...hops) },
  { code: 'dns.cname_loop', given: at(`${www} CNAME a.shop.example`, `a.shop.example CNAME ${www}`) },
  { code: 'dns.wildcard_match', given: at(`*.shop.example CNAME ${target}`) },
  { code: 'dns.reserved_ip', given: at(`${www} A 192.168.1.20`) },
  {
    code: 'dns.record_disabled',
    root: 'dns.no_record',
    given: { ...at(), serials: { 'ns1.dns.example': 7, 'ns2.dns.example': 7 } },
    known: {
      askedAgainAt: NOW - 1000,
      firstCheck: {
        at: NOW - 600_000,
        rememberedUntil: NOW,
        values: [],
        serials: { 'ns1.dns.example': 7, 'ns2.dns.example': 7 },
        delegated: ['ns1.dns.example', 'ns2.dns.example'],
      },
    },
  },
  {
    code: 'dns.wrong_zone_edited',
    given: { ...at(), delegated: cloudflare, own: godaddy, servers: { [godaddy[0] ?? '']: [right] } },
  },
]
