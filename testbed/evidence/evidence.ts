// Fake evidence for tests, as if the nameservers of a zone had these records. Queries for
// anything else get the answer of a real server: NXDOMAIN, or an empty answer.

import type {
  DnsAnswer,
  DnsRecord,
  Lookup,
  LookupOutcome,
  QuestionType,
} from '../../server/src/foundation/dns/answer.ts'
import { fakeAnswer } from './answer.ts'
import type { Authority, Evidence, Wanted } from '../../server/src/domains/observing/evidence.ts'

type FakeZone = {
  hostname: string
  apex?: string
  /** `name TYPE value`, full names without the trailing dot; TXT as plain text, CAA as `0 issue "ca.example"`. */
  records: readonly string[]
  /**
   * Nameservers that have other records, or do not answer, by name. The delegated nameservers are
   * queried (ns1.dns.example and ns2.dns.example by default), and those named here, even if
   * nothing delegates to them.
   */
  servers?: Readonly<Record<string, readonly string[] | LookupOutcome>>
  /** The same for resolvers; `checked` validates. If absent, resolvers were not queried. */
  checked?: readonly string[] | LookupOutcome
  unchecked?: readonly string[] | LookupOutcome
  delegated?: readonly string[]
  own?: readonly string[]
  /** Serials of the zone by nameserver; the default is 1. */
  serials?: Readonly<Record<string, number>>
  ttl?: number
  probes?: Evidence['probes']
  at?: number
}

export const letsEncrypt: Authority = {
  name: "Let's Encrypt",
  domain: 'letsencrypt.org',
  accountUri: 'https://acme.example/acct/1',
  methods: ['http-01'],
}

export const wantedFor = (hostname: string, changes: Partial<Wanted> = {}): Wanted => ({
  hostname,
  target: 'happy-paws.petstore.example',
  platformHost: 'petstore.example',
  token: 'petstore-verify=3k7q2m9x4w8t6n1v5b0c',
  addresses: ['192.0.2.10', '2001:db8::10'],
  formerAddresses: [],
  authorities: [letsEncrypt],
  ...changes,
})

const queryTypes: readonly QuestionType[] = ['A', 'AAAA', 'CNAME', 'NS', 'TXT', 'SOA', 'CAA', 'DS', 'DNSKEY', 'MX']

export function evidenceOf(fake: FakeZone): Evidence {
  const { hostname, at = 1_800_000_000_000 } = fake
  const apex = fake.apex ?? hostname.split('.').slice(-2).join('.')
  const delegated = fake.delegated ?? ['ns1.dns.example', 'ns2.dns.example']
  const queried = [...new Set([...delegated, ...Object.keys(fake.servers ?? {})])]
  const { ttl = 3600 } = fake
  const parents = [hostname, ...hostname.split('.').map((_, index, labels) => labels.slice(index + 1).join('.'))]
  const names = new Set([
    ...parents.filter((name) => name.endsWith(apex)),
    `_petstore.${hostname}`,
    `${hostname}.${apex}`,
    `_petstore.${hostname}.${apex}`,
    `petstore-wildcard-5e1f.${apex}`,
    ...fake.records.map((line) => line.split(' ')[0] ?? ''),
  ])
  const lookupsAt = (to: Lookup['to'], server: string, source: readonly string[] | LookupOutcome): Lookup[] =>
    [...names].flatMap((name) =>
      queryTypes.map((type) => ({
        to,
        server,
        address: '198.51.100.53',
        name,
        type,
        ms: 3,
        outcome:
          'kind' in source
            ? source
            : answerFrom(source, { name, type, apex, serial: fake.serials?.[server] ?? 1, ttl }),
      })),
    )
  return {
    hostname,
    at,
    zone: {
      apex,
      parent: apex.split('.').slice(1).join('.'),
      delegated,
      own: fake.own ?? delegated,
      servers: delegated.map((name) => ({ name, address: '198.51.100.53' })),
      withoutAddress: [],
    },
    looks: [
      ...queried.flatMap((server) => lookupsAt('authoritative', server, fake.servers?.[server] ?? fake.records)),
      ...(fake.checked ? lookupsAt('checked', 'resolver', fake.checked) : []),
      ...(fake.unchecked ? lookupsAt('unchecked', 'resolver', fake.unchecked) : []),
    ],
    probes: fake.probes ?? [],
  }
}

export const answer = (changes: Partial<DnsAnswer> = {}): DnsAnswer => fakeAnswer({ isAuthoritative: true, ...changes })

type FakeQuery = { name: string; type: QuestionType; apex: string; serial: number; ttl: number }

function answerFrom(lines: readonly string[], { name, type, apex, serial, ttl }: FakeQuery): DnsAnswer {
  const all = lines.map((line) => readLine(line, ttl))
  const own = all.filter((record) => record.name === name)
  const wildcard = `*.${name.split('.').slice(1).join('.')}`
  const byWildcard = all.filter((record) => record.name === wildcard).map((record) => ({ ...record, name }))
  const here = own.length > 0 || name === apex ? own : byWildcard
  const found = here.filter((record) => record.type === type || record.type === 'CNAME')
  const soa: DnsRecord = { name: apex, ttl: 300, type: 'SOA', primary: `ns1.${apex}`, serial, minimum: 300 }
  if (found.length > 0) return answer({ records: found })
  if (type === 'SOA' && name === apex) return answer({ records: [soa] })
  const exists = here.length > 0 || name === apex || all.some((record) => record.name.endsWith(`.${name}`))
  return answer({ rcode: exists ? 'NOERROR' : 'NXDOMAIN', authority: [soa] })
}

function readLine(line: string, ttl: number): DnsRecord {
  const [name = '', type = '', ...rest] = line.split(' ')
  const value = rest.join(' ')
  if (type === 'A' || type === 'AAAA') return { name, ttl, type, address: value }
  if (type === 'CNAME' || type === 'NS' || type === 'MX' || type === 'DNAME') return { name, ttl, type, target: value }
  if (type === 'TXT') return { name, ttl, type, text: value, strings: [value] }
  if (type === 'CAA') {
    const [, flags = '0', tag = '', caaValue = ''] = /^(\d+) (\S+) "(.*)"$/.exec(value) ?? []
    return { name, ttl, type, isCritical: Number(flags) >= 128, flags: Number(flags), tag, value: caaValue }
  }
  return { name, ttl, type: 'OTHER', of: type }
}
