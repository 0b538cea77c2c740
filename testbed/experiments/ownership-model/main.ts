// The model must hold, and each bug that is seeded into it must be found, otherwise it proves nothing.

import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readFlags } from '../flags.ts'
import { conclude } from '../outcome.ts'

const run = promisify(execFile)

const MODEL = 'domain-ownership.pml'
const source = join(import.meta.dirname, '.', MODEL)

/** Violations of the rules; each must be found. */
export const seededBugs = ['BUG_CLAIM', 'BUG_LEFTOVER', 'BUG_NOFENCE', 'BUG_PUSHONLY', 'BUG_NOACK'] as const
export type SeededBug = (typeof seededBugs)[number]

export type Search = {
  bug: SeededBug | null
  /** Whether some order of events breaks a rule. */
  isBroken: boolean
  states: number
  seconds: number
}

export async function searchModel(bug: SeededBug | null, dnsSteps: number): Promise<Search> {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-model-'))
  const at = { cwd: directory, maxBuffer: 16 * 1024 * 1024 }
  const started = performance.now()
  try {
    cpSync(source, join(directory, MODEL))
    await run('spin', ['-a', `-DDNS_STEPS=${dnsSteps}`, ...(bug ? [`-D${bug}`] : []), MODEL], at)
    await run('gcc', ['-O2', '-w', '-DSAFETY', '-DCOLLAPSE', '-o', 'pan', 'pan.c'], at)
    const { stdout } = await run('./pan', ['-m200000', '-w25'], at)
    return { bug, ...read(stdout), seconds: Math.round((performance.now() - started) / 100) / 10 }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** A search that ended early for another reason has shown nothing, so it is neither. */
export function read(output: string): Pick<Search, 'isBroken' | 'states'> {
  const [, errors] = /errors: (\d+)/.exec(output) ?? []
  const [, states] = /(\d+) states, stored/.exec(output) ?? []
  if (errors === undefined || states === undefined) throw new Error(`spin said nothing that can be read:\n${output}`)
  if (/search depth too small|out of memory|Search not completed/i.test(output) && errors === '0') {
    throw new Error(`the search was not completed:\n${output}`)
  }
  if (errors !== '0' && !output.includes('assertion violated')) throw new Error(`another error than a rule:\n${output}`)
  return { isBroken: errors !== '0', states: Number(states) }
}

/** The fault of a search; undefined if its result is as expected. */
export function faultOf({ bug, isBroken }: Search): string | undefined {
  if (bug === null) return isBroken ? 'the model breaks its own rules' : undefined
  return isBroken ? undefined : `${bug} was not found`
}

if (import.meta.main) {
  const flags = readFlags('ownership-model')
  const searches: Search[] = []
  try {
    for (const bug of [null, ...seededBugs]) searches.push(await searchModel(bug, flags.full ? 3 : 2))
    conclude(flags, { searches }, ...searches.map(faultOf))
  } catch (error) {
    const isMissing = (error as { code?: string }).code === 'ENOENT'
    process.stderr.write(isMissing ? 'model: needs the Debian packages spin and gcc.\n' : `model: ${String(error)}\n`)
    process.exitCode = 1
  }
}
