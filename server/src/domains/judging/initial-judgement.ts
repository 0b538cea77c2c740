// What can be said of a hostname that nobody has looked at yet: which records it
// must have. Nothing is said of what is wrong, because nothing was seen.

import { nothingKnown, type Wanted } from '../observing/evidence.ts'
import { judge } from './judge.ts'
import type { Judgement } from './judgement.ts'

export function judgedUnseen(wanted: Wanted, now: number): Judgement {
  const evidence = { hostname: wanted.hostname, at: now, zone: null, looks: [], probes: [] }
  const judgement = judge({ wanted, evidence, known: nothingKnown }, now)
  return { ...judgement, ownership: 'unknown', routing: 'unknown', troubles: [] }
}
