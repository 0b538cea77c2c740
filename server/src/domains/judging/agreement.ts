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
  return agreementOf(answers.filter(isUsable).map(({ outcome }) => isThere(outcome.records)))
}

export function isProof(scene: Scene, question: CountedQuestion): boolean {
  if (serversOn(scene, question) !== 'all') return false
  if (resolversQueried(scene, question) === 0) return hasEveryServerAnswered(scene, question)
  return resolversOn(scene, question) === 'all' && !isUnconfirmed(scene, question)
}

/** One path to the zone may be poisoned; two paths from two operators hardly are. */
const RESOLVERS_NEEDED = 2

/** Whether nothing contradicts, but too few resolvers answered: the owner cannot change that. */
export function isUnconfirmed(scene: Scene, question: CountedQuestion): boolean {
  const queried = resolversQueried(scene, question)
  const answers = lookupsOf(scene, 'checked', question.name, question.type).filter(isAnswered).filter(isUsable)
  const confirming = new Set(answers.map(({ server }) => server)).size
  if (queried === 0 || confirming >= Math.min(RESOLVERS_NEEDED, queried)) return false
  const resolvers = resolversOn(scene, question)
  return serversOn(scene, question) === 'all' && (resolvers === 'all' || resolvers === 'silent')
}

const resolversQueried = (scene: Scene, { name, type }: CountedQuestion): number =>
  new Set(lookupsOf(scene, 'checked', name, type).map(({ server }) => server)).size

const isUsable = ({ outcome: { rcode } }: Answered): boolean => rcode === 'NOERROR' || rcode === 'NXDOMAIN'

function agreementOf(confirmations: readonly boolean[]): Agreement {
  if (confirmations.length === 0) return 'silent'
  if (confirmations.every(Boolean)) return 'all'
  return confirmations.some(Boolean) ? 'some' : 'none'
}

function hasEveryServerAnswered(scene: Scene, { name, type }: CountedQuestion): boolean {
  const answered = new Set(answersOf(scene, name, type).map(({ server }) => server))
  return (scene.zone?.delegated ?? []).every((server) => answered.has(server))
}
