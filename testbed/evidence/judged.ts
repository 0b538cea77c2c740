// Judges the evidence of a case as if it had been observed now.

import { NOW, apex, worldOf, www, type AdviceCase } from './advice-cases.ts'
import { judge } from '../../server/src/domains/judging/judge.ts'
import type { Judgement } from '../../server/src/domains/judging/judgement.ts'

export type Given = AdviceCase['given']

export const judged = (given: Given, more: Partial<AdviceCase> = {}): Judgement =>
  judge(worldOf({ code: 'dns.no_record', given, ...more }), NOW)

export const codesOf = ({ troubles }: Judgement) => troubles.map(({ code }) => code)
export const at = (...records: readonly string[]): Given => ({ hostname: www, records })
export const atApex = (...records: readonly string[]): Given => ({ hostname: apex, records })
