// The initial judgement of a hostname lists the records that it must have, before the first
// check. It reports no troubles, because nothing has been observed.

import { nothingKnown, type Wanted } from '../observing/evidence.ts'
import { judge } from './judge.ts'
import type { Judgement } from './judgement.ts'

export function judgedUnseen(wanted: Wanted, now: number): Judgement {
  const evidence = { hostname: wanted.hostname, at: now, zone: null, looks: [], probes: [] }
  const judgement = judge({ wanted, evidence, known: nothingKnown }, now)
  return { ...judgement, ownership: 'unknown', routing: 'unknown', troubles: [] }
}
