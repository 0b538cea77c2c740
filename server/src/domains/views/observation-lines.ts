// Formats observations as lines that an owner can read and send to a DNS provider: the server,
// the query, the answer and the time it took. Bounded in size whatever was received: third
// parties wrote the texts in it.

import {
  EVIDENCE_LENGTH_MAX,
  EVIDENCE_LINES_MAX,
  type Sighting,
} from '@petstore-platform/contract/platform/domain-shapes'
import type { DnsRecord, Lookup, LookupOutcome, Silence } from '../../foundation/dns/answer.ts'
import type { Evidence, Probe } from '../observing/evidence.ts'

/** Observations about the hostname itself come first: if there are too many, the others are left out. */
export function observationsOf({ hostname, looks, probes }: Evidence): Sighting[] {
  const isAbout = ({ name, to }: Lookup) => to !== 'parent' && (name === hostname || name === `_petstore.${hostname}`)
  return [
    ...looks.filter(isAbout).map(lookupLine),
    ...probes.map(probeLine),
    ...looks.filter((lookup) => !isAbout(lookup)).map(lookupLine),
  ].slice(0, EVIDENCE_LINES_MAX)
}

const lookupLine = ({ to, server, address, name, type, outcome, ms }: Lookup): Sighting => ({
  server: bounded(server === address || server === '' ? address : `${server} (${address})`),
  question: bounded(`${type} ${name === '' ? '.' : name}${to === 'unchecked' ? ' (without DNSSEC)' : ''}`),
  answer: bounded(outcomeText(outcome)),
  ms: Math.max(0, Math.round(ms)),
})

const silences: Readonly<Record<Silence['why'], string>> = {
  timeout: 'no answer in time',
  refused: 'connection refused',
  unreachable: 'cannot be reached',
  malformed: 'an invalid answer',
  edns_dropped: 'no answer to a query with EDNS, only to one without',
  tcp_failed: 'too long for UDP, and no answer over TCP',
  not_allowed: 'not queried: a private or reserved address',
  skipped: 'not queried: out of time',
}

function outcomeText(outcome: LookupOutcome): string {
  if (outcome.kind === 'silence') return silences[outcome.why]
  const { rcode, records, authority, isAuthoritative, errors } = outcome
  const words = errors.map(({ code, text }) => `EDE ${code}${text === '' ? '' : ` ${text}`}`)
  const referral = records.length === 0 && !isAuthoritative ? authority.filter(({ type }) => type === 'NS') : []
  const found =
    referral.length > 0 ? ['see', ...referral.map(recordText)].join(' ') : records.map(recordText).join(', ')
  const none = rcode === 'NXDOMAIN' ? 'NXDOMAIN: no such name' : rcode === 'NOERROR' ? 'no such record' : rcode
  const said = found === '' ? none : rcode === 'NOERROR' ? found : `${rcode} ${found}`
  return [said, ...words].join('; ')
}

export function recordText(record: DnsRecord): string {
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return `${record.type} ${record.address}`
    case 'TXT':
      return `TXT "${record.text}"`
    case 'SOA':
      return `SOA ${record.primary} ${record.serial}`
    case 'CAA':
      return `CAA ${record.flags} ${record.tag} "${record.value}"`
    case 'DS':
      return `DS ${record.keyTag} ${record.algorithm} ${record.digestType}`
    case 'DNSKEY':
      return `DNSKEY ${record.keyTag} ${record.algorithm}`
    case 'RRSIG':
      return `RRSIG ${record.covers} ${record.keyTag}`
    case 'OTHER':
      return record.of
    default:
      return `${record.type} ${record.target}`
  }
}

function probeLine({ address, url, outcome, ms }: Probe): Sighting {
  const answer =
    outcome.kind === 'ours'
      ? 'our own servers responded'
      : outcome.kind === 'redirect'
        ? `${outcome.status} to ${outcome.location}`
        : outcome.kind === 'other'
          ? `${outcome.status}${outcome.server === '' ? '' : ` from ${outcome.server}`}`
          : `no response (${outcome.why.replace('_', ' ')})`
  return {
    server: bounded(address),
    question: bounded(`GET ${url}`),
    answer: bounded(answer),
    ms: Math.max(0, Math.round(ms)),
  }
}

// Names and texts of records arrive escaped; the headers of a web server do not.
const bounded = (text: string) => {
  const plain = text.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
  return plain.length > EVIDENCE_LENGTH_MAX ? `${plain.slice(0, EVIDENCE_LENGTH_MAX - 1)}…`.toWellFormed() : plain
}
