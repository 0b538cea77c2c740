// A scene is an index over the evidence, for queries such as "the answers of all nameservers
// for this name and type". Judging is a list of small queries to a scene.

import type { DnsAnswer, DnsRecord, Lookup, QuestionType } from '../../foundation/dns/answer.ts'
import type { Evidence, Known, Wanted, Zone } from '../observing/evidence.ts'
import type { Provider } from '../providers/provider.ts'
import { UNKNOWN_PROVIDER, typedName } from '../providers/provider.ts'

export type Scene = {
  wanted: Wanted
  known: Known
  evidence: Evidence
  zone: Zone | null
  /** Name of the zone, or its most likely name if it could not be determined. */
  apex: string
  isApex: boolean
  provider: Provider | null
  /** Time of judging, in ms since 1970. */
  now: number
  /** Values for the placeholders of most texts. */
  words: { host: string; apex: string; name: string; target: string; provider: string; token: string }
}

export function sceneOf(
  { wanted, evidence, known }: { wanted: Wanted; evidence: Evidence; known: Known },
  { provider, registrable, now }: { provider: Provider | null; registrable: string; now: number },
): Scene {
  const { zone } = evidence
  const apex = zone?.apex ?? registrable
  const { hostname } = wanted
  return {
    wanted,
    known,
    evidence,
    zone,
    apex,
    // The registered name is an apex for its owner, even if its zone could not be queried.
    isApex: hostname === apex,
    provider,
    now,
    words: {
      host: hostname,
      apex,
      name: typedName(provider, hostname, apex) || '(leave it empty)',
      target: wanted.target,
      provider: provider?.name ?? UNKNOWN_PROVIDER,
      token: wanted.token ?? '',
    },
  }
}

export type Answered = Lookup & { outcome: DnsAnswer }

/** Lookups of one kind for one name and type. */
export const lookupsOf = ({ evidence }: Scene, to: Lookup['to'], name: string, type: QuestionType): Lookup[] =>
  evidence.looks.filter((look) => look.to === to && look.name === name && look.type === type)

export const isAnswered = (look: Lookup): look is Answered => look.outcome.kind === 'answer'

/** The good answers of the zone's servers: authoritative, and without error. */
export const answersOf = (scene: Scene, name: string, type: QuestionType): Answered[] =>
  lookupsOf(scene, 'authoritative', name, type).filter(isAnswered).filter(isGood)

export const isGood = ({ outcome: { rcode, isAuthoritative } }: Answered): boolean =>
  isAuthoritative && (rcode === 'NOERROR' || rcode === 'NXDOMAIN')

type RecordOf<Type extends DnsRecord['type']> = DnsRecord & { type: Type }

/** The records of one type at exactly this name, from all servers of the zone, each value once. */
export function recordsAt<Type extends QuestionType & DnsRecord['type']>(
  scene: Scene,
  name: string,
  type: Type,
): RecordOf<Type>[] {
  return distinct(answersOf(scene, name, type).flatMap((look) => recordsIn(look, name, type)))
}

/** The records of one type at exactly this name in one answer; a chain of CNAMEs contains others as well. */
export const recordsIn = <Type extends DnsRecord['type']>(
  { outcome }: Answered,
  name: string,
  type: Type,
): RecordOf<Type>[] =>
  outcome.records.filter((record): record is RecordOf<Type> => record.type === type && record.name === name)

function distinct<R extends DnsRecord>(records: readonly R[]): R[] {
  const seen = new Map(records.map((record) => [JSON.stringify({ ...record, ttl: 0 }), record]))
  return [...seen.values()]
}
