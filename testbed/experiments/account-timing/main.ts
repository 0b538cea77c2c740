// Whether the time of a response tells if an address has an account.
//
//   npm run experiment -- account-timing --help

import pg from 'pg'
import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { readFlags } from '../flags.ts'
import { faultOf, LOOK_UP, measureAccountTiming } from './timing.ts'

const flags = readFlags('account-timing')
await using postgres = await startTemporaryPostgres()
const { appUrl, ownerUrl } = await postgres.createDatabase()
if (flags['look-up']) {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query(LOOK_UP)
  await owner.end()
}
const figures = await measureAccountTiming(appUrl, { requests: Number(flags.requests), seed: Number(flags.seed) })
const fault = faultOf(figures)
const lines = figures.comparisons.map(
  ({ operation, class: kind, t, differenceUs }) => `${operation} ${kind}: t = ${t}, ${differenceUs} µs`,
)
process.stdout.write(
  flags.json
    ? `${JSON.stringify({ ...figures, fault: fault ?? null })}\n`
    : `${lines.join('\n')}\n${fault ?? 'No class can be told from an unknown address.'}\n`,
)
process.exitCode = fault === undefined ? 0 : 1
