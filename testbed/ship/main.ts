// `npm run ship`: builds releases of the current commit and shows what they must show, each with a negative control.
// Needs root on Debian 12, with buildah, systemd and docker-compose.

import { parseArgs } from 'node:util'
import { say } from '../../tools/steps.ts'
import type { Figures, ShipLine } from './line.ts'
import { shipLines } from './lines.ts'
import { openWorkshop } from './workshop.ts'

const usage = `npm run ship -- [options]

  --only 4,5   only these lines
  --controls   only the negative controls
  --built      use what \`npm run release -- npm linux-x64 image\` has built here, instead of building it from the commit
  --json       print one JSON object`

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    built: { type: 'boolean', default: false },
    controls: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

type Shown = { line: number; title: string; passed: boolean; seconds: number; figures?: Figures; fault?: string }

async function shown(line: number, title: string, run: () => Promise<Figures>): Promise<Shown> {
  const startedAt = performance.now()
  const since = () => Math.round((performance.now() - startedAt) / 100) / 10
  try {
    const figures = await run()
    return { line, title, passed: true, seconds: since(), figures }
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error)
    return { line, title, passed: false, seconds: since(), fault }
  }
}

function report({ line, title, passed, seconds, figures = {}, fault }: Shown): void {
  const details = Object.entries(figures).map(([name, value]) => `${name}: ${value}`)
  say(
    `${passed ? 'ok  ' : 'FAIL'} ${line} ${title} (${seconds} s)${details.length > 0 ? ` – ${details.join(', ')}` : ''}`,
  )
  if (fault !== undefined) say(fault.replace(/^/gm, '     '))
}

async function main(): Promise<number> {
  if (flags.help) say(usage)
  if (flags.help) return 0
  const wanted = flags.only?.split(',').map(Number)
  const unknown = wanted?.find((one) => !shipLines.some(({ line }) => line === one))
  if (unknown !== undefined) throw new Error(`There is no line ${unknown}.`)
  using workshop = openWorkshop(flags.built ? process.cwd() : undefined)
  const all: Shown[] = []
  const add = (one: Shown) => {
    all.push(one)
    if (!flags.json) report(one)
  }
  const both = async ({ line, title, run, control }: ShipLine) => {
    if (!flags.controls) add(await shown(line, title, () => run(workshop)))
    add(await shown(line, `${control.title} (negative control)`, () => control.run(workshop)))
  }
  const chosen = shipLines.filter(({ line }) => !wanted || wanted.includes(line))
  for (const one of chosen.filter(({ isIdle }) => !isIdle)) await both(one)
  await Promise.all(chosen.filter(({ isIdle }) => isIdle).map(both))
  const failed = all.filter(({ passed }) => !passed).length
  say(flags.json ? JSON.stringify({ lines: all }) : `${all.length - failed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
