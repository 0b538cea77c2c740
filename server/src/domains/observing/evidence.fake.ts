// Evidence for tests, as if the nameservers of a zone had these records. What is
// not told is answered as a real server would: "no such name", or "not this type".

import type { DnsAnswer, DnsRecord, Lookup, LookupOutcome, QuestionType } from '../../foundation/dns/answer.ts'
import type { Authority, Evidence, Wanted } from './evidence.ts'

type Told = {
  hostname: string
  apex?: string
  /** `name TYPE value`, full names without the last dot; TXT in plain words, CAA as `0 issue "ca.example"`. */
  records: readonly string[]
  /**
   * Nameservers that have other records, or do not answer. By name: ns1.dns.example and ns2.dns.example are asked, and
   * whoever is named here, though nobody may be sent there.
   */
  servers?: Readonly<Record<string, readonly string[] | LookupOutcome>>
  /** The same for resolvers; `checked` validates. Nothing told: they were not asked. */
  checked?: readonly string[] | LookupOutcome
  unchecked?: readonly string[] | LookupOutcome
  delegated?: readonly string[]
  own?: readonly string[]
  /** Serials of the zone by nameserver; 1 where none is told. */
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

const questions: readonly QuestionType[] = ['A', 'AAAA', 'CNAME', 'NS', 'TXT', 'SOA', 'CAA', 'DS', 'DNSKEY', 'MX']

export function evidenceOf(told: Told): Evidence {
  const { hostname, at = 1_800_000_000_000 } = told
  const apex = told.apex ?? hostname.split('.').slice(-2).join('.')
  const delegated = told.delegated ?? ['ns1.dns.example', 'ns2.dns.example']
  const asked = [...new Set([...delegated, ...Object.keys(told.servers ?? {})])]
  const { ttl = 3600 } = told
  const parents = [hostname, ...hostname.split('.').map((_, index, labels) => labels.slice(index + 1).join('.'))]
  const names = new Set([
    ...parents.filter((name) => name.endsWith(apex)),
    `_petstore.${hostname}`,
    `${hostname}.${apex}`,
    `_petstore.${hostname}.${apex}`,
    `petstore-wildcard-5e1f.${apex}`,
    ...told.records.map((line) => line.split(' ')[0] ?? ''),
  ])
  const looks = (to: Lookup['to'], server: string, source: readonly string[] | LookupOutcome): Lookup[] =>
    [...names].flatMap((name) =>
      questions.map((type) => ({
        to,
        server,
        address: '198.51.100.53',
        name,
        type,
        ms: 3,
        outcome:
          'kind' in source
            ? source
            : answerFrom(source, { name, type, apex, serial: told.serials?.[server] ?? 1, ttl }),
      })),
    )
  return {
    hostname,
    at,
    zone: {
      apex,
      parent: apex.split('.').slice(1).join('.'),
      delegated,
      own: told.own ?? delegated,
      servers: delegated.map((name) => ({ name, address: '198.51.100.53' })),
      withoutAddress: [],
    },
    looks: [
      ...asked.flatMap((server) => looks('authoritative', server, told.servers?.[server] ?? told.records)),
      ...(told.checked ? looks('checked', 'resolver', told.checked) : []),
      ...(told.unchecked ? looks('unchecked', 'resolver', told.unchecked) : []),
    ],
    probes: told.probes ?? [],
  }
}

export const answer = (changes: Partial<DnsAnswer> = {}): DnsAnswer => ({
  kind: 'answer',
  rcode: 'NOERROR',
  isAuthoritative: true,
  records: [],
  authority: [],
  additional: [],
  errors: [],
  overTcp: false,
  isCut: false,
  ...changes,
})

type Question = { name: string; type: QuestionType; apex: string; serial: number; ttl: number }

function answerFrom(lines: readonly string[], { name, type, apex, serial, ttl }: Question): DnsAnswer {
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
    const [, flags = '0', tag = '', said = ''] = /^(\d+) (\S+) "(.*)"$/.exec(value) ?? []
    return { name, ttl, type, isCritical: Number(flags) >= 128, flags: Number(flags), tag, value: said }
  }
  return { name, ttl, type: 'OTHER', of: type }
}
