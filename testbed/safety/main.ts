// `npm run safety`: shows that Petstore stays available and its accounts safe under attack, line by line, each with
// negative controls. Needs nothing but this repository; a PostgreSQL of its own is started for the run.

import { parseArgs } from 'node:util'
import { say } from '../../tools/steps.ts'
import { claimsNamed, concluded, printClaim, runProgram, type ShownClaim } from '../experiments/claims.ts'
import { startTemporaryPostgres } from '../harness/temporary-postgres.ts'
import type { Tier } from './line.ts'
import { outcomeOf, safetyLines, type NamedLine } from './lines.ts'

const usage = `npm run safety -- [options]

  --only lockout,disk  only these lines
  --tier small|large   small, as on every push, unless given; large before a release, and if what a line is about changed
  --without GUARD      the negative control: without this guard its line must fail
  --controls           the negative controls of all guards, instead of the lines
  --list               print the lines and their guards
  --json               print one JSON object`

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    tier: { type: 'string', default: 'small' },
    without: { type: 'string' },
    controls: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** The runs of a line: itself, or one without each of the guards that are asked for. */
function runsOf({ guards }: NamedLine): (string | undefined)[] {
  if (flags.without !== undefined) return guards.map(({ name }) => name).filter((name) => name === flags.without)
  return flags.controls ? guards.map(({ name }) => name) : [undefined]
}

const isTier = (text: string): text is Tier => text === 'small' || text === 'large'

async function wantedLines(): Promise<NamedLine[]> {
  const lines = claimsNamed(await safetyLines(), flags.only)
  const { without } = flags
  if (without !== undefined && !lines.some(({ guards }) => guards.some(({ name }) => name === without)))
    throw new Error(`No line has the guard '${without}'. The guards: npm run safety -- --list`)
  return lines
}

async function main(): Promise<number> {
  if (flags.help) say(usage)
  if (flags.help) return 0
  const { tier } = flags
  if (!isTier(tier)) throw new Error("--tier is 'small' or 'large'.")
  const lines = await wantedLines()
  if (flags.list) {
    for (const { name, title, guards } of lines) {
      say(`${name}: ${title}`)
      for (const guard of guards) say(`     --without ${guard.name}: ${guard.instead}`)
    }
    return 0
  }
  await using postgres = await startTemporaryPostgres()
  let databases = 0
  const createDatabase = () => postgres.createDatabase(`safety_${(databases += 1)}`)
  const all: ShownClaim[] = []
  for (const one of lines) {
    for (const without of runsOf(one)) {
      const outcome = await outcomeOf(one, { tier, without, createDatabase })
      all.push(outcome)
      if (!flags.json) printClaim(outcome)
    }
  }
  return concluded(all, flags.json)
}

await runProgram(main)
