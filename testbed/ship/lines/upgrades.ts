// Upgrades, migrations that meet a reader, and respawning. Each is a drill of the experiment `upgrade`, at its full size. That
// restarts in turn fail no request is the line `rolling-restart` of the safety suite.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Figures } from '../../experiments/claims.ts'
import type { ShipLine } from '../line.ts'

const experiments = join(import.meta.dirname, '../../experiments/main.ts')

type Drill = { name: string; figures: Record<string, unknown>; fault: string | null }

/** With the numbers of its figures, those one level down included. */
async function drilled(name: string, ...flags: string[]): Promise<Figures> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [experiments, 'upgrade', '--only', name, '--json', ...flags],
    { maxBuffer: 64 * 1024 * 1024 },
  )
  const [drill] = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Drill[]
  if (!drill || drill.fault !== null) throw new Error(drill?.fault ?? `There is no drill ${name}.`)
  return numbersIn(drill.figures)
}

const numbersIn = (figures: object, prefix = ''): Figures =>
  Object.fromEntries(
    Object.entries(figures).flatMap(([name, value]: [string, unknown]) => {
      if (typeof value === 'number') return [[`${prefix}${name}`, Math.round(value * 10) / 10]]
      return typeof value === 'object' && value !== null && prefix === ''
        ? Object.entries(numbersIn(value, `${name}.`))
        : []
    }),
  )

const lineOf = (name: string, title: string, control: string): ShipLine => ({
  name,
  title,
  run: () => drilled(name),
  control: { title: control, run: () => drilled(name, '--control') },
})

export const upgrades: readonly ShipLine[] = [
  lineOf(
    'versions',
    'no request of 20,000 fails while the next release migrates and starts, and this one is started again',
    'after a migration that drops a column, the former release refuses to start',
  ),
  {
    ...lineOf(
      'locks',
      'a migration names the reader that blocks it, and succeeds afterwards',
      'without retries it fails',
    ),
    isIdle: true,
  },
  {
    ...lineOf(
      'respawn',
      'a supervisor that cannot replace its processes ends after at most 6 attempts',
      'processes that can be replaced are',
    ),
    isIdle: true,
  },
]
