// The report of a diagnosis for a terminal, and its exit status for scripts. Pure: the command
// runs the check, this file only formats the result.

import type { Evidence } from '../observing/evidence.ts'
import type { Judgement, RecordAdvice } from '../judging/judgement.ts'
import { isReady } from './domain-json.ts'
import { observationsOf } from './observation-lines.ts'
import type { Trouble } from '../judging/trouble.ts'

/** 0 correct, 1 action required, 2 waiting, 3 undetermined. */
export type Verdict = 0 | 1 | 2 | 3

export function verdictOf(judgement: Judgement): Verdict {
  const { troubles } = judgement
  if (isReady(judgement)) return 0
  const stands = troubles.find(({ severity }) => severity === 'blocks' || severity === 'waits')
  if (!stands) return judgement.routing === 'pointing' && judgement.ownership === 'unproven' ? 1 : 3
  if (stands.actor === 'platform') return 3
  return stands.severity === 'waits' ? 2 : 1
}

const headlines: Readonly<Record<Verdict, string>> = {
  0: 'correct: it would pass verification now',
  1: 'action required',
  2: 'no action required: waiting',
  3: 'undetermined',
}

export function reportText(hostname: string, judgement: Judgement, evidence: Evidence, isVerbose: boolean): string {
  const [first, ...others] = judgement.troubles
  const verdict = verdictOf(judgement)
  const parts = [
    [`${hostname}: ${headlines[verdict]}`],
    first ? troubleLines(first) : [],
    judgement.records.length > 0 ? ['Records', ...judgement.records.flatMap(recordLines)] : [],
    others.length > 0 ? ['Also noticed', ...others.flatMap(troubleLines)] : [],
    judgement.provider ? [`DNS is run by ${judgement.provider.name}.`] : [],
    // An undetermined result has its reason in the answers, or in their absence.
    isVerbose || verdict === 3 ? ['Queries and answers', ...sightingLines(evidence)] : [],
  ]
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

const troubleLines = ({ code, advice, until }: Trouble): string[] => [
  `  ${code}`,
  `  ${advice}`,
  ...(until === null ? [] : [`  until about ${new Date(until).toISOString().slice(0, 16).replace('T', ' ')} UTC`]),
]

const recordLines = ({ type, name, value, have, state, isRequired }: RecordAdvice): string[] => [
  `  want  ${type} ${name} ${value}${isRequired ? '' : ' (not required)'}: ${state}`,
  ...(have.length === 0
    ? [`  have  ${state === 'unknown' ? 'unknown' : 'nothing'}`]
    : have.map((one) => `  have  ${one}`)),
]

const sightingLines = (evidence: Evidence): string[] =>
  observationsOf(evidence).map(
    ({ server, question, answer, ms }) => `  ${server}  ${question}  →  ${answer}  (${ms} ms)`,
  )
