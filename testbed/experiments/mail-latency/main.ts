// How long an urgent mail takes to the relay while notifications are waiting, at the default rate.
//
//   npm run experiment -- mail-latency --help

import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { readFlags } from '../flags.ts'
import { faultOf, measureMailLatency } from './latency.ts'

const flags = readFlags('mail-latency')
await using postgres = await startTemporaryPostgres()
const { appUrl } = await postgres.createDatabase()
const figures = await measureMailLatency(appUrl, {
  waiting: Number(flags.waiting),
  urgent: Number(flags.urgent),
  isOneQueue: flags['one-queue'],
})
const fault = faultOf(figures)
const { waiting, urgent, p50Ms, p99Ms, stillWaiting } = figures
process.stdout.write(
  flags.json
    ? `${JSON.stringify({ ...figures, fault: fault ?? null })}\n`
    : `${urgent} urgent mails beside ${waiting} notifications: median ${p50Ms} ms, p99 ${p99Ms} ms; ${stillWaiting} still waiting\n${fault ?? 'The guarantee held.'}\n`,
)
process.exitCode = fault === undefined ? 0 : 1
