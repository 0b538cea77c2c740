// Agreement decides whether a record is confirmed by everything that was queried, which a
// proof requires. One server that is malicious, late or poisoned must not be enough:
//
// - every nameserver that the parent zone delegates to, and that answered, has the record;
// - no validating resolver contradicts, or finds the zone's signatures broken;
// - two validating resolvers confirm it, or the only one that is configured; if none was
//   queried, no nameserver may have been silent.
//
// Answers without validation, and answers that are not from the zone's own servers, never
// prove anything.

import type { DnsRecord, QuestionType } from '../../foundation/dns/answer.ts'
import { isDelegated } from './pointing-views.ts'
import { answersOf, isAnswered, lookupsOf, type Answered, type Scene } from './scene.ts'

/** A record that must exist at all servers that are queried for this name and type. */
export type CountedQuestion = { name: string; type: QuestionType; isThere: (records: readonly DnsRecord[]) => boolean }

/** `all` and `none` refer to the servers that answered; `silent`: none did. */
export type Agreement = 'all' | 'some' | 'none' | 'silent'

/** The agreement among the zone's own servers. */
export function serversOn(scene: Scene, { name, type, isThere }: CountedQuestion): Agreement {
  const answers = answersOf(scene, name, type).filter((look) => isDelegated(scene, look))
  return agreementOf(answers.map(({ outcome }) => isThere(outcome.records)))
}

/**
 * The agreement among validating resolvers; `broken` if one of them answers SERVFAIL, as
 * authorities must then refuse.
 */
export function resolversOn(scene: Scene, { name, type, isThere }: CountedQuestion): Agreement | 'broken' {
  const answers = lookupsOf(scene, 'checked', name, type).filter(isAnswered)
  if (answers.some(({ outcome }) => outcome.rcode === 'SERVFAIL')) return 'broken'
  return agreementOf(answers.filter(isTelling).map(({ outcome }) => isThere(outcome.records)))
}

export function isProof(scene: Scene, question: CountedQuestion): boolean {
  if (serversOn(scene, question) !== 'all') return false
  if (resolversAsked(scene, question) === 0) return isEveryServerHeard(scene, question)
  return resolversOn(scene, question) === 'all' && !isUnconfirmed(scene, question)
}

/** One path to the zone may be poisoned; two paths from two operators hardly are. */
const RESOLVERS_NEEDED = 2

/** Whether nothing contradicts, but too few resolvers answered: the owner cannot change that. */
export function isUnconfirmed(scene: Scene, question: CountedQuestion): boolean {
  const asked = resolversAsked(scene, question)
  const answers = lookupsOf(scene, 'checked', question.name, question.type).filter(isAnswered).filter(isTelling)
  const confirming = new Set(answers.map(({ server }) => server)).size
  if (asked === 0 || confirming >= Math.min(RESOLVERS_NEEDED, asked)) return false
  const resolvers = resolversOn(scene, question)
  return serversOn(scene, question) === 'all' && (resolvers === 'all' || resolvers === 'silent')
}

const resolversAsked = (scene: Scene, { name, type }: CountedQuestion): number =>
  new Set(lookupsOf(scene, 'checked', name, type).map(({ server }) => server)).size

const isTelling = ({ outcome: { rcode } }: Answered): boolean => rcode === 'NOERROR' || rcode === 'NXDOMAIN'

function agreementOf(says: readonly boolean[]): Agreement {
  if (says.length === 0) return 'silent'
  if (says.every(Boolean)) return 'all'
  return says.some(Boolean) ? 'some' : 'none'
}

function isEveryServerHeard(scene: Scene, { name, type }: CountedQuestion): boolean {
  const heard = new Set(answersOf(scene, name, type).map(({ server }) => server))
  return (scene.zone?.delegated ?? []).every((server) => heard.has(server))
}
