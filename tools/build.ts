// `npm run build`: builds what the server serves to browsers, the dashboard and the API reference, into
// server/public. What is current already is left alone.

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { dashboardLines, measureDashboard } from './build-dashboard.ts'
import { buildReference } from './build-reference.ts'
import { overBudget } from './dashboard-bundle-size.ts'
import { say } from './steps.ts'

const usage = `npm run build -- [dashboard] [reference] [options]

Without names it builds both.

  --within-budget  fail if the first load of the domains page exceeds its budget of script, style or fonts
  --json           print one JSON value: the sizes of the dashboard, or { dashboard, reference } if both are built`

const parts = ['dashboard', 'reference'] as const

async function main(): Promise<number> {
  const { values: flags, positionals } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      'within-budget': { type: 'boolean', default: false },
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
  if (!flags['within-budget']) return 0
  if (!dashboard) throw new Error('--within-budget is about the dashboard.')
  const { script, style, font } = dashboard.firstLoad
  const over = overBudget({ script: script.gzip, style: style.gzip, font: font.gzip })
  if (over.length === 0) return 0
  throw new Error(`The first load of the domains page exceeds its budget: ${over.join(', ')}.`)
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
