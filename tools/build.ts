// `npm run build`: builds what the server serves to browsers, the dashboard and the API reference, into
// server/public. What is current already is left alone.

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { dashboardLines, kB, measureDashboard } from './build-dashboard.ts'
import { buildReference } from './build-reference.ts'
import { say } from './steps.ts'

const usage = `npm run build -- [dashboard] [reference] [options]

Without names it builds both.

  --at-most N   fail if the first load of the domains page is more than N kB of gzipped script
  --json        print one JSON value: the sizes of the dashboard, or { dashboard, reference } if both are built`

const parts = ['dashboard', 'reference'] as const

async function main(): Promise<number> {
  const { values: flags, positionals } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      'at-most': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  if (flags.help) say(usage)
  if (flags.help) return 0
  const unknown = positionals.find((name) => !parts.some((part) => part === name))
  if (unknown !== undefined) {
    process.stderr.write(`There is nothing called "${unknown}" to build. There are: ${parts.join(', ')}.\n`)
    return 2
  }
  const isWanted = (part: (typeof parts)[number]) => positionals.length === 0 || positionals.includes(part)
  const publicOf = (part: string) => join(import.meta.dirname, '../server/public', part)
  const dashboard = isWanted('dashboard') ? await measureDashboard(publicOf('dashboard')) : undefined
  const reference = isWanted('reference') ? { isNew: await buildReference(publicOf('reference')) } : undefined

  if (flags.json) say(JSON.stringify(dashboard && reference ? { dashboard, reference } : (dashboard ?? reference)))
  else {
    for (const line of dashboard ? dashboardLines(dashboard) : []) say(line)
    if (reference) say(reference.isNew ? 'The API reference was built.' : 'The API reference is as its sources are.')
  }
  const most = flags['at-most']
  if (most === undefined) return 0
  if (!dashboard) throw new Error('--at-most is about the dashboard.')
  const loaded = dashboard.firstLoad.script.gzip
  if (loaded <= Number(most) * 1000) return 0
  throw new Error(`The domains page loads ${kB(loaded)} of gzipped script; ${most} kB are allowed.`)
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
