// `referralIn` extracts the delegation from a parent zone's answer: the name that is the apex of a
// child zone, and its nameservers. Only a delegation downwards, towards the name being resolved,
// counts; a referral upwards, to the zone itself or sideways counts as no answer.

import type { DnsAnswer, DnsRecord, Lookup, QuestionType } from './answer.ts'
import { isBelow, isWithin } from './hostname.ts'

export type Referral = {
  apex: string
  nameservers: readonly string[]
  glue: readonly { name: string; address: string }[]
}

const NAMESERVERS_MAX = 13

/** The delegation nearest to `zone` on the path to `hostname`, in any of these answers. */
export function referralIn(answers: readonly DnsAnswer[], zone: string, hostname: string): Referral | null {
  const [first] = answers
    .map((answer) => ({ answer, apex: apexIn(answer, zone, hostname) }))
    .filter((found): found is { answer: DnsAnswer; apex: string } => found.apex !== null)
    .toSorted((one, other) => one.apex.length - other.apex.length)
  if (!first) return null
  const { answer, apex } = first
  const nameservers = [
    ...new Set(all(answer).flatMap((record) => (record.type === 'NS' && record.name === apex ? [record.target] : []))),
  ]
  // Servers rotate them; sorting makes two lookups comparable.
  return {
    apex,
    nameservers: nameservers.toSorted().slice(0, NAMESERVERS_MAX),
    glue: glueIn(answer, zone, nameservers),
  }
}

const all = ({ records, authority }: DnsAnswer): readonly DnsRecord[] => [...records, ...authority]

function apexIn(answer: DnsAnswer, zone: string, hostname: string): string | null {
  if (answer.rcode !== 'NOERROR') return null
  // A server of both zones answers for the child zone itself; NS records next to another answer are
  // optional extras.
  const section = answer.isAuthoritative ? answer.records : answer.authority
  const owners = section.flatMap(({ type, name }) => (type === 'NS' ? [name] : []))
  return owners.find((name) => isBelow(name, zone) && isWithin(hostname, name)) ?? null
}

/** Glue from a zone counts only for names in that zone. */
function glueIn({ additional }: DnsAnswer, zone: string, nameservers: readonly string[]) {
  return additional.flatMap((record) =>
    (record.type === 'A' || record.type === 'AAAA') && nameservers.includes(record.name) && isWithin(record.name, zone)
      ? [{ name: record.name, address: record.address }]
      : [],
  )
}

/** True if a server of the zone has given information about names below it. */
export const isHelpful = (answer: DnsAnswer, zone: string, hostname: string): boolean =>
  (answer.isAuthoritative && (answer.rcode === 'NOERROR' || answer.rcode === 'NXDOMAIN')) ||
  referralIn([answer], zone, hostname) !== null

export const answersIn = (looks: readonly Lookup[], type: QuestionType): DnsAnswer[] =>
  looks.flatMap((look) => (look.type === type && look.outcome.kind === 'answer' ? [look.outcome] : []))
