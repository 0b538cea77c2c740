// A trouble is a problem that was found, with a code for programs and advice for people. It
// is a value, never thrown; it is stored with the evidence, and displayed unchanged.

import type { Actor, Severity } from '../causes/cause.ts'
import { causes, type CauseCode } from '../causes/causes.ts'

export type Trouble = {
  code: CauseCode
  severity: Severity
  actor: Actor
  /** One or more sentences, filled with the real values. */
  advice: string
  /** When it ends automatically, in ms since 1970, if that is known. */
  until: number | null
}

/** Values for the placeholders of a text. A missing value is our bug, so it throws. */
export type Values = Readonly<Record<string, string | number>>

type Changes = Partial<Pick<Trouble, 'severity' | 'actor' | 'until'>>

/** Severity, actor and text come from the table; a judging function may give a more precise severity. */
export function trouble(code: CauseCode, values: Values = {}, changes: Changes = {}): Trouble {
  const { severity, actor, text } = causes[code]
  return { code, severity, actor, advice: fill(text, values), until: null, ...changes }
}

/**
 * "your DNS provider" is the one value that is a phrase and not a name: it gets a capital at the
 * start of a sentence.
 */
function fill(text: string, values: Values): string {
  const filled = text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`the text needs a value for '${name}'`)
    return String(value)
  })
  return filled.replace(/(^|\. )your DNS provider/g, '$1Your DNS provider')
}
