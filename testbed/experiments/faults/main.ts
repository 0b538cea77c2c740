// Injects every fault of a certificate authority that we can produce, in a complete environment. It fails as well if a fault
// that is not injected goes undetected.

import { readFileSync, writeFileSync } from 'node:fs'
import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { complaintsOf } from './complaints.ts'
import { openEnvironment } from './environment.ts'
import { printTroubles, TROUBLES_FILE } from './print.ts'
import type { Row } from './row.ts'
import { controlOf, rows } from './rows.ts'
import { runRows, type Result } from './run.ts'
import { checkStored, type StoredCertificates } from './stored.ts'
import { readFlags } from '../flags.ts'
import { conclude } from '../outcome.ts'

export type FaultFigures = {
  results: Result[]
  control: Result
  stored: StoredCertificates
  errors: string[]
  seconds: number
}

export async function runFaults(appUrl: string, wanted: readonly Row[] = rows): Promise<FaultFigures> {
  const [first] = wanted
  if (!first) throw new Error('there is no fault of that name')
  const all = [...wanted, controlOf(first)]
  const began = performance.now()
  const environment = await openEnvironment(appUrl, all)
  try {
    const results = await runRows(environment, all)
    const control = results.pop()
    if (!control) throw new Error('no fault was injected')
    const { database, errors } = environment.stage.service
    const stored = await checkStored(database.run, environment.keys)
    const seconds = (performance.now() - began) / 1000
    return { results, control, stored, errors: errors.map(String), seconds }
  } finally {
    await environment.close()
  }
}

/** One sentence per difference. */
export const faultsOf = ({ results, control, stored, errors }: FaultFigures): string[] => [
  ...results.flatMap((result) => complaintsOf(result).map((complaint) => `${result.row.name}: ${complaint}`)),
  ...(complaintsOf(control).length > 0 ? [] : ['a fault that was not injected went undetected']),
  ...stored.bad,
  ...(stored.count >= results.length ? [] : [`only ${stored.count} certificates are stored`]),
  ...errors,
]

/** Without what the texts of the page say. */
export const faultFigures = ({ results, stored, seconds }: FaultFigures) => ({
  faults: results.map(({ row, shown, waitedMs, liveMs, pressed }) => {
    const { name, askedMs } = row
    return { name, shown: shown?.code ?? 'nothing', askedMs, waitedMs, liveMs, pressed }
  }),
  stored: stored.count,
  seconds,
})

if (import.meta.main) {
  const flags = readFlags('faults')
  await using postgres = await startTemporaryPostgres()
  const { appUrl } = await postgres.createDatabase()
  const wanted = rows.filter(({ name }) => name.includes(flags.only ?? ''))
  const figures = await runFaults(appUrl, wanted)
  // The page documents what is shown; how long a busy machine took is not in it.
  const isShownRight = figures.results.every(({ row, shown }) => (shown?.code ?? null) === row.code)
  const page = printTroubles(figures.results)
  if (flags.write && isShownRight) writeFileSync(TROUBLES_FILE, page)
  const isStale = flags.check && readFileSync(TROUBLES_FILE, 'utf8') !== page
  const stale = isStale ? `${TROUBLES_FILE} differs. Run "npm run generate -- faults".` : undefined
  conclude(flags, faultFigures(figures), ...faultsOf(figures), stale)
}
