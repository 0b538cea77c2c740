// Runs claims, each with negative controls, and prints them in one form: what `npm run safety` and `npm run ship` show. A
// claim has a name and a title that is a sentence; it is shown, or it throws what it found instead.

import { say } from '../../tools/steps.ts'
import { nearestTo } from './description.ts'

/** What a claim found, in words or numbers. */
export type Figures = Readonly<Record<string, string | number>>

export type ShownClaim = {
  name: string
  title: string
  passed: boolean
  seconds: number
  figures: Figures
  fault?: string
}

/** Runs one; `report` adds to the figures that are printed, also if it fails afterwards. */
export async function shown(
  { name, title }: { name: string; title: string },
  run: (report: (figures: Figures) => void) => Promise<void>,
): Promise<ShownClaim> {
  const startedAt = performance.now()
  const figures: Record<string, string | number> = {}
  const fault = await run((more) => void Object.assign(figures, more)).then(() => undefined, faultOf)
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10
  return { name, title, passed: fault === undefined, seconds, figures, ...(fault !== undefined && { fault }) }
}

/** What was found explains itself; another error is explained by where it came from. */
function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error instanceof NotShown ? error.message : (error.stack ?? error.message)
}

/** What the claim is about is not so. */
export class NotShown extends Error {
  override name = 'NotShown'
}

export function printClaim({ name, title, passed, seconds, figures, fault }: ShownClaim): void {
  const details = Object.entries(figures).map(([figure, value]) => `${figure}: ${value}`)
  const suffix = details.length > 0 ? ` – ${details.join(', ')}` : ''
  say(`${passed ? 'ok  ' : 'FAIL'} ${name}: ${title} (${seconds} s)${suffix}`)
  if (fault !== undefined) say(fault.replace(/^/gm, '     '))
}

/** Prints the count of all, or all as one JSON object. Returns the exit code. */
export function concluded(all: readonly ShownClaim[], isJson: boolean): number {
  const failed = all.filter(({ passed }) => !passed).length
  say(isJson ? JSON.stringify({ claims: all }) : `${all.length - failed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

/** Those that are named, separated by commas; all without names. */
export function claimsNamed<Claim extends { name: string }>(all: readonly Claim[], names: string | undefined): Claim[] {
  if (names === undefined) return [...all]
  const known = all.map(({ name }) => name)
  return names.split(',').map((name) => {
    const found = all.find((one) => one.name === name)
    if (!found) throw new Error(`There is no '${name}'. Nearest: ${nearestTo(name, known).join(', ')}.`)
    return found
  })
}

/** The program of a suite: what it throws is an error of the one who typed. */
export async function runProgram(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main()
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
