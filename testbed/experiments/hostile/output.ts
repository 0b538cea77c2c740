// Checks the output of one check, whatever a hostile server put into it: stored text must be
// plain ASCII and bounded, shown text must have no invisible or bidirectional control
// characters, and no third-party value may be longer than 200.

import { checkJson } from '../../../server/src/domains/views/domain-json.ts'
import type { Evidence } from '../../../server/src/domains/observing/evidence.ts'
import type { Judgement } from '../../../server/src/domains/judging/judgement.ts'

const VALUE_MAX = 200
const ADVICE_MAX = 1200
const STORED_MAX = 1_000_000
/** How JSON writes a control character; a backslash of our own escapes is doubled there. */
const jsonEscape = /(?<!\\)(?:\\\\)*\\[ubfnrt]/

/** In the order in which they were found; empty if nothing is wrong. */
export function faultsOf(hostname: string, evidence: Evidence, judgement: Judgement): string[] {
  const stored = JSON.stringify(evidence)
  const faults = stringsIn(JSON.parse(checkJson(hostname, { judgement, evidence })), '').flatMap(faultOf)
  if (!/^[\x20-\x7e]*$/.test(stored) || jsonEscape.test(stored)) faults.push('stored: not escaped')
  if (stored.length > STORED_MAX) faults.push(`stored: ${stored.length} characters`)
  return faults
}

type Found = { at: string; text: string }

function stringsIn(value: unknown, at: string): Found[] {
  if (typeof value === 'string') return [{ at, text: value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inside]) => stringsIn(inside, /^\d+$/.test(key) ? at : `${at}.${key}`))
}

function faultOf({ at, text }: Found): string[] {
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)) return [`${at}: not escaped`]
  // Advice is ours; the values that fill it are third-party text, and contain no blanks unless they are TXT records.
  const isAdvice = at.endsWith('.advice')
  if (text.length > (isAdvice ? ADVICE_MAX : VALUE_MAX)) return [`${at}: ${text.length} characters`]
  const longest = Math.max(...text.split(' ').map(({ length }) => length))
  return longest > VALUE_MAX + 10 ? [`${at}: a value of ${longest} characters`] : []
}
