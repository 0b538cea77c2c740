// `missingTxt` asks every nameserver of a zone whether it shows a TXT record. No resolver is asked for
// the record: it would remember that there is none, just before there is one.

import { findCut } from './zone.io.ts'
import { lookUp } from './lookup.io.ts'
import type { Lookup } from './answer.ts'
import type { Dns } from './port.ts'

const PATIENCE_MS = 5000
const QUESTION_MS = 2000

/** Undefined if all of them show it; otherwise a reason in words, without a full stop. */
export async function missingTxt(dns: Dns, name: string, value: string): Promise<string | undefined> {
  const pace = { until: performance.now() + PATIENCE_MS, questionMs: QUESTION_MS }
  const { cut } = await findCut(dns, name, pace, false)
  if (!cut || cut.servers.length === 0) return `The nameservers of ${name} could not be found`
  const query = { name, type: 'TXT', triesTcp: true } as const
  const looks = await Promise.all(
    cut.servers.map((server) => lookUp(dns, server, query, { to: 'authoritative', pace })),
  )
  // What could not be asked from here, such as an IPv6 address without IPv6, is no evidence.
  const asked = looks.filter(({ outcome }) => outcome.kind !== 'silence' || outcome.why !== 'skipped')
  const without = asked.find((look) => !shows(look, value))
  if (without) return `The nameserver ${without.server} (${without.address}) does not show the record ${name} yet`
  return asked.length > 0 ? undefined : `No nameserver of ${name} can be asked from here`
}

const shows = ({ outcome }: Lookup, value: string): boolean =>
  outcome.kind === 'answer' && outcome.records.some((record) => record.type === 'TXT' && record.text === value)
