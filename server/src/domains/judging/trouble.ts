// A trouble: something wrong in the world, with a code for programs and advice for
// people. A value, never thrown; stored with what we saw, and shown as it stands.

import type { Actor, Severity } from '../causes/cause.ts'
import { causes, type CauseCode } from '../causes/causes.ts'

export type Trouble = {
  code: CauseCode
  severity: Severity
  actor: Actor
  /** One or more sentences, filled with the real values. */
  advice: string
  /** When it ends by itself, in ms since 1970, if that is known. */
  until: number | null
}

/** What fills the braces of a text. A value that a text wants and nobody gave is our bug, so it throws. */
export type Values = Readonly<Record<string, string | number>>

type Changes = Partial<Pick<Trouble, 'severity' | 'actor' | 'until'>>

/** Severity, actor and text come from the table; a check may say more exactly how grave it is here. */
export function trouble(code: CauseCode, values: Values = {}, changes: Changes = {}): Trouble {
  const { severity, actor, text } = causes[code]
  return { code, severity, actor, advice: fill(text, values), until: null, ...changes }
}

/** "your DNS provider" is the one value that is words and not a name: it begins a sentence with a capital. */
function fill(text: string, values: Values): string {
  const filled = text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`the text needs a value for '${name}'`)
    return String(value)
  })
  return filled.replace(/(^|\. )your DNS provider/g, '$1Your DNS provider')
}
