// Ranking decides which trouble is first, and which ones are hidden because another one
// explains them. It is total, and independent of the order of the input:
//
// - blocking troubles come before waiting, that before warnings, and these before
//   information. So owners are never advised to wait while there is something to do, nor to
//   change anything while only time is needed;
// - then by layer, from the name itself down to the caches of resolvers: a lower layer cannot
//   be judged while a higher one is broken;
// - a missing TXT record comes directly after the record that points here, not with the other
//   troubles of ownership: both are created on the same page, the procedure names the
//   pointing record first, and a name for which nothing was set up yet must report "there is
//   no record", not "prove that it is yours".

import { causeCodes, type CauseCode } from '../causes/causes.ts'
import type { Severity } from '../causes/cause.ts'
import { explainedBy } from './explains.ts'
import type { Trouble } from './trouble.ts'

export function ranked(troubles: readonly Trouble[]): Trouble[] {
  const left = troubles.filter((one) => !troubles.some((other) => hides(other, one)))
  const sorted = left.toSorted((one, other) => compare(keyOf(one), keyOf(other)))
  return sorted.filter((one, index) => sorted.findIndex((other) => isSame(one, other)) === index)
}

const isSame = (one: Trouble, other: Trouble): boolean =>
  one.code === other.code && one.severity === other.severity && one.advice === other.advice

/** A less severe trouble does not explain the severity of a more severe one. */
const hides = (explanation: Trouble, one: Trouble): boolean =>
  explainedBy(explanation.code).has(one.code) && severityRank[explanation.severity] <= severityRank[one.severity]

const severityRank: Readonly<Record<Severity, number>> = { blocks: 0, waits: 1, warns: 2, informs: 3 }

/** The order of layers; a code that is in no group is placed by its family. */
const layers: readonly (readonly string[])[] = [
  ['name', 'drift.domain_expired'],
  ['plan'],
  ['zone'],
  ['own'],
  ['dns.wrong_zone_edited'],
  [
    'dns.parked',
    'dns.url_forwarding',
    'dns.reserved_ip',
    'dns.multiple_cname',
    'dns.mixed_targets',
    'dns.conflict_a',
    'dns.conflict_aaaa',
    'dns.cname_with_others',
  ],
  // Visitors do reach us, so any record that leads them elsewhere comes first.
  ['dns.a_instead_of_cname'],
  ['dns', 'drift'],
  ['own.txt_missing'],
  ['caa'],
  ['proxy'],
  ['http', 'acme'],
  ['ca'],
  ['tls', 'renew', 'redir', 'primary', 'remove', 'platform'],
  ['prop'],
]

const layerByWord = new Map(layers.flatMap((words, layer) => words.map((word) => [word, layer] as const)))

export const layerOf = (code: CauseCode): number =>
  layerByWord.get(code) ?? layerByWord.get(code.split('.')[0] ?? '') ?? layers.length

type Key = readonly (number | string)[]

const keyOf = ({ code, severity, advice, until }: Trouble): Key => [
  severityRank[severity],
  layerOf(code),
  causeCodes.indexOf(code),
  // Of several ends the latest counts: checking earlier is pointless.
  -(until ?? -1),
  advice,
]

function compare(left: Key, right: Key): number {
  const at = left.findIndex((value, index) => value !== right[index])
  const [one = 0, other = 0] = [left[at], right[at]]
  return one < other ? -1 : one > other ? 1 : 0
}
