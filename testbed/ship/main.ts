// `npm run ship`: builds releases of the current commit and shows what they must show, each with a negative control.
// Needs root on Debian 12; it names the packages that are missing.

import { parseArgs } from 'node:util'
import { requirePrograms } from '../../devserver/programs.ts'
import { say } from '../../tools/steps.ts'
import { claimsNamed, concluded, printClaim, runProgram, shown, type ShownClaim } from '../experiments/claims.ts'
import { postgresqlClient } from '../harness/postgresql-client.ts'
import type { ShipLine } from './line.ts'
import { shipLines } from './lines.ts'
import { openWorkshop } from './workshop.ts'

const usage = `npm run ship -- [options]

  --only units,forms   only these lines
  --controls           only the negative controls
  --built              use what \`npm run release -- npm linux-x64 image\` has built here, instead of building it from the commit
  --json               print one JSON object`

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    built: { type: 'boolean', default: false },
    controls: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

async function main(): Promise<number> {
  if (flags.help) say(usage)
  if (flags.help) return 0
  const chosen = claimsNamed(shipLines, flags.only)
  requirePrograms('ship')
  postgresqlClient()
  using workshop = openWorkshop(flags.built ? process.cwd() : undefined)
  const all: ShownClaim[] = []
  const add = (one: ShownClaim) => {
    all.push(one)
    if (!flags.json) printClaim(one)
  }
  const both = async ({ name, title, run, control }: ShipLine) => {
    if (!flags.controls) add(await shown({ name, title }, async (report) => report(await run(workshop))))
    const failing = { name, title: `${control.title} (negative control)` }
    add(await shown(failing, async (report) => report(await control.run(workshop))))
  }
  for (const one of chosen.filter(({ isIdle }) => !isIdle)) await both(one)
  await Promise.all(chosen.filter(({ isIdle }) => isIdle).map(both))
  return concluded(all, flags.json)
}

await runProgram(main)
