// Whether everybody who was asked has a record, which is what a proof needs. One
// server that lies, is late or is poisoned must not be enough:
//
//   - every nameserver that the parent zone names, and that answered, has it;
//   - no validating resolver contradicts, or finds the zone's signatures broken;
//   - two validating resolvers confirm it, or the only one that there is; where none
//     was asked, no nameserver may have been silent.
//
// What was asked without validation, or is not from the zone's own servers, never
// proves anything.

import type { DnsRecord, QuestionType } from '../../foundation/dns/answer.ts'
import { isDelegated } from './pointing-views.ts'
import { answersOf, isAnswered, lookupsOf, type Answered, type Scene } from './scene.ts'

/** A record that must be there, by all that are asked for this name and type. */
export type CountedQuestion = { name: string; type: QuestionType; isThere: (records: readonly DnsRecord[]) => boolean }

/** `all` and `none` are of those who answered; `silent`: nobody did. */
export type Agreement = 'all' | 'some' | 'none' | 'silent'

/** What the zone's own servers say. */
export function serversOn(scene: Scene, { name, type, isThere }: CountedQuestion): Agreement {
  const answers = answersOf(scene, name, type).filter((look) => isDelegated(scene, look))
  return agreementOf(answers.map(({ outcome }) => isThere(outcome.records)))
}

/** What validating resolvers say; `broken` if one of them refuses to tell, as authorities then must. */
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

/** One path to the zone may be poisoned; two to two operators hardly are. */
const RESOLVERS_NEEDED = 2

/** Whether nobody contradicts and yet too few resolvers answered: nothing that the owner could change. */
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
