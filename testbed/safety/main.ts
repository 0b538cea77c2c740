// `npm run safety`: shows that Petstore stays available and its accounts safe under attack, line by line, each with
// negative controls. Needs nothing but this repository; a PostgreSQL of its own is started for the run.

import { parseArgs } from 'node:util'
import { say } from '../../tools/steps.ts'
import { startTemporaryPostgres } from '../harness/temporary-postgres.ts'
import type { SafetyLine, Scale } from './line.ts'
import { outcomeOf, safetyLines, type SafetyOutcome } from './lines.ts'

const usage = `npm run safety -- [options]

  --only 2,3           only these lines
  --scale small|large  small, as in CI, unless given
  --without GUARD      the negative control: without this guard its line must fail
  --controls           the negative controls of all guards, instead of the lines
  --list               print the lines and their guards
  --json               print one JSON object`

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    scale: { type: 'string', default: 'small' },
    without: { type: 'string' },
    controls: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

function print({ line, title, passed, seconds, figures, fault }: SafetyOutcome): void {
  const details = Object.entries(figures).map(([name, value]) => `${name}: ${value}`)
  say(
    `${passed ? 'ok  ' : 'FAIL'} ${line} ${title} (${seconds} s)${details.length > 0 ? ` – ${details.join(', ')}` : ''}`,
  )
  if (fault !== undefined) say(fault.replace(/^/gm, '     '))
}

/** The runs of a line: itself, or one without each of the guards that are asked for. */
function runsOf({ guards }: SafetyLine): (string | undefined)[] {
  if (flags.without !== undefined) return guards.map(({ name }) => name).filter((name) => name === flags.without)
  return flags.controls ? guards.map(({ name }) => name) : [undefined]
}

const isScale = (text: string): text is Scale => text === 'small' || text === 'large'

async function wantedLines(): Promise<SafetyLine[]> {
  const all = await safetyLines()
  const wanted = flags.only?.split(',').map(Number)
  const unknown = wanted?.find((one) => !all.some(({ line }) => line === one))
  if (unknown !== undefined) throw new Error(`There is no line ${unknown}.`)
  const lines = all.filter(({ line }) => wanted?.includes(line) ?? true)
  const { without } = flags
  if (without !== undefined && !lines.some(({ guards }) => guards.some(({ name }) => name === without)))
    throw new Error(`No line has the guard '${without}'. The guards: npm run safety -- --list`)
  return lines
}

async function main(): Promise<number> {
  if (flags.help) say(usage)
  if (flags.help) return 0
  const { scale } = flags
  if (!isScale(scale)) throw new Error("--scale is 'small' or 'large'.")
  const lines = await wantedLines()
  if (flags.list) {
    for (const { line, title, guards } of lines) {
      say(`${line} ${title}`)
      for (const { name, instead } of guards) say(`     --without ${name}: ${instead}`)
    }
    return 0
  }
  await using postgres = await startTemporaryPostgres()
  let databases = 0
  const createDatabase = () => postgres.createDatabase(`safety_${(databases += 1)}`)
  const all: SafetyOutcome[] = []
  for (const one of lines) {
    for (const without of runsOf(one)) {
      const outcome = await outcomeOf(one, { scale, without, createDatabase })
      all.push(outcome)
      if (!flags.json) print(outcome)
    }
  }
  const failed = all.filter(({ passed }) => !passed).length
  say(flags.json ? JSON.stringify({ scale, lines: all }) : `${all.length - failed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
