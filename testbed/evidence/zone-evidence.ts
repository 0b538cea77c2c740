// Fake scenes for tests of the zone, CAA and propagation: the lookups of `evidenceOf` at the
// nameservers, and single lookups at parents, resolvers and other names.

import type {
  DnsAnswer,
  DnsRecord,
  Lookup,
  LookupOutcome,
  QuestionType,
  Silence,
} from '../../server/src/foundation/dns/answer.ts'
import type { Known, Wanted, Zone } from '../../server/src/domains/observing/evidence.ts'
import { nothingKnown } from '../../server/src/domains/observing/evidence.ts'
import { answer, evidenceOf, letsEncrypt, wantedFor } from './evidence.ts'
import type { Provider } from '../../server/src/domains/providers/provider.ts'
import { sceneOf, type Scene } from '../../server/src/domains/judging/scene.ts'

/** 15 January 2027, 08:00 UTC. */
export const NOW = 1_800_000_000_000

export const zeroSsl = { name: 'ZeroSSL', domain: 'sectigo.com', accountUri: null, methods: ['http-01'] }
export const bothAuthorities = { authorities: [letsEncrypt, zeroSsl] }

type Given = Omit<Parameters<typeof evidenceOf>[0], 'at'> & {
  looks?: readonly Lookup[]
  wanted?: Partial<Wanted>
  known?: Partial<Known>
  zone?: Partial<Zone> | null
  provider?: Provider | null
}

export function sceneWith({ looks = [], wanted, known, zone, provider = null, ...given }: Given): Scene {
  const evidence = evidenceOf({ ...given, at: NOW })
  const seen = {
    wanted: wantedFor(given.hostname, wanted),
    known: { ...nothingKnown, ...known },
    evidence: {
      ...evidence,
      zone: zone === null || evidence.zone === null ? null : { ...evidence.zone, ...zone },
      looks: [...evidence.looks, ...looks],
    },
  }
  return sceneOf(seen, { provider, registrable: given.hostname.split('.').slice(-2).join('.'), now: NOW })
}

/** `to server: TYPE name` */
export function lookup(spec: string, outcome: LookupOutcome): Lookup {
  const [to = '', server = '', type = '', name = ''] = spec.replace(':', '').split(' ')
  const address = server.includes('v6') ? '2001:db8::53' : '198.51.100.53'
  return { to: to as Lookup['to'], server, address, name, type: type as QuestionType, ms: 3, outcome }
}

export const records = (...found: DnsRecord[]): DnsAnswer => answer({ records: found })
export const silence = (why: Silence['why']): Silence => ({ kind: 'silence', why })
export const failure = (rcode: string, ...errors: DnsAnswer['errors'][number][]): DnsAnswer =>
  answer({ rcode, isAuthoritative: false, errors })

export const cname = (name: string, target: string, ttl = 3600): DnsRecord => ({ name, ttl, type: 'CNAME', target })
export const ns = (name: string, target: string, ttl = 3600): DnsRecord => ({ name, ttl, type: 'NS', target })
export const address = (name: string, value: string, ttl = 3600): DnsRecord => ({
  name,
  ttl,
  type: 'A',
  address: value,
})
export const caa = (name: string, tag: string, value: string, flags = 0): Extract<DnsRecord, { type: 'CAA' }> => ({
  name,
  ttl: 3600,
  type: 'CAA',
  isCritical: flags >= 128,
  flags,
  tag,
  value,
})
export const soa = (name: string, ttl: number, minimum: number, serial = 1): DnsRecord => ({
  name,
  ttl,
  type: 'SOA',
  primary: `ns1.${name}`,
  serial,
  minimum,
})

/** Our target's own CAA, as resolvers return it. */
export const targetAllows = (...issuers: string[]): Lookup => {
  const name = 'happy-paws.petstore.example'
  return lookup(`checked resolver: CAA ${name}`, records(...issuers.map((issuer) => caa(name, 'issue', issuer))))
}
