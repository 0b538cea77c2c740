// The lines of `npm run safety`: every file in lines/ exports one as `safetyLine`. A run without a guard passes if the
// line then fails.

import { readdirSync } from 'node:fs'
import { NotShown, type SafetyFigures, type SafetyLine, type SafetyRun } from './line.ts'

const folder = new URL('lines/', import.meta.url)

/** In their order. */
export async function safetyLines(): Promise<SafetyLine[]> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'))
  const modules = await Promise.all(
    files.map(async (name) => (await import(new URL(name, folder).href)) as { safetyLine?: SafetyLine }),
  )
  return modules
    .flatMap(({ safetyLine }) => (safetyLine === undefined ? [] : [safetyLine]))
    .toSorted((one, other) => one.line - other.line)
}

export type SafetyOutcome = {
  line: number
  title: string
  passed: boolean
  seconds: number
  figures: SafetyFigures
  fault?: string
}

/** Runs one line, or its negative control: without a guard it must fail, and by what it found. */
export async function outcomeOf(one: SafetyLine, run: Omit<SafetyRun, 'report'>): Promise<SafetyOutcome> {
  const { without } = run
  const figures: Record<string, string | number> = {}
  const startedAt = performance.now()
  const found = await one.run({ ...run, report: (more) => void Object.assign(figures, more) }).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  )
  const isShown = found === undefined
  const passed = without === undefined ? isShown : found instanceof NotShown
  const fault = isShown ? 'The line is shown although the guard is missing.' : faultOf(found)
  return {
    line: one.line,
    title: without === undefined ? one.title : `${one.title}: without ${without} (negative control)`,
    passed,
    seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    figures: passed && found ? { ...figures, found: found.message } : figures,
    ...(!passed && { fault }),
  }
}

/** What was found explains itself; another error is explained by where it came from. */
const faultOf = (error: Error): string => (error instanceof NotShown ? error.message : (error.stack ?? error.message))
