// The suites beside the experiments, whose lines each have a name as well: what no attacker can do, and what a release must
// show. Together with experiments.ts this is the one index of what can be run.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { safetyLines } from '../safety/lines.ts'
import type { Suite } from './description.ts'

const testbed = join(import.meta.dirname, '..')

/** The program of the suite that has a line of this name. */
export async function suiteOf(name: string): Promise<string | undefined> {
  if (existsSync(join(testbed, 'safety/lines', `${name}.ts`))) return join(testbed, 'safety/main.ts')
  const { shipLines } = await import('../ship/lines.ts')
  return shipLines.some((line) => line.name === name) ? join(testbed, 'ship/main.ts') : undefined
}

export async function describedSuites(): Promise<Suite[]> {
  const { shipLines } = await import('../ship/lines.ts')
  return [
    {
      heading: 'Safety',
      about:
        'What no attacker, visitor or neighbour can do: `npm run safety` shows it line by line, with `--controls` without the guards that each depends on. Every push runs the small tier (`e2e/safety.test.ts`).',
      command: 'npm run safety',
      lines: (await safetyLines()).map(({ name, title, sizes: { small, large } }) => {
        const often = large === 'the same' ? `every push: ${small}` : `every push: ${small}; --tier large: ${large}`
        return { name, title, often }
      }),
    },
    {
      heading: 'Release',
      about:
        'What a release must show, each with a negative control: `npm run ship` builds one and shows it, before it is published.',
      command: 'npm run ship',
      lines: shipLines.map(({ name, title }) => ({ name, title, often: 'before a release' })),
    },
  ]
}
