// The lines of `npm run safety`: every file in lines/ exports one as `safetyLine`. A run without a guard passes if the
// line then fails.

import { readdirSync } from 'node:fs'
import { NotShown, shown, type ShownClaim } from '../experiments/claims.ts'
import type { SafetyLine, SafetyRun } from './line.ts'

const folder = new URL('lines/', import.meta.url)

export type NamedLine = SafetyLine & { name: string }

export const safetyNames = (): string[] =>
  readdirSync(folder)
    .map((file) => file.slice(0, -'.ts'.length))
    .toSorted()

export const safetyLines = (): Promise<NamedLine[]> =>
  Promise.all(
    safetyNames().map(async (name) => {
      const module = (await import(new URL(`${name}.ts`, folder).href)) as { safetyLine?: SafetyLine }
      if (!module.safetyLine) throw new Error(`lines/${name}.ts exports no safetyLine`)
      return { name, ...module.safetyLine }
    }),
  )

/** Runs one line, or its negative control: without a guard it must fail, and by what it found. */
export function outcomeOf(
  { name, title, run }: NamedLine,
  { without, ...setting }: Omit<SafetyRun, 'report'>,
): Promise<ShownClaim> {
  if (without === undefined) return shown({ name, title }, (report) => run({ ...setting, without, report }))
  const control = { name, title: `${title}: without ${without} (negative control)` }
  return shown(control, async (report) => {
    const found = await run({ ...setting, without, report }).then(
      () => new Error('The line is shown although the guard is missing.'),
      (error: unknown) => error,
    )
    if (!(found instanceof NotShown)) throw found
    report({ found: found.message })
  })
}
