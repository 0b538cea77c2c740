// How long the mail about a visitor's request takes to the relay while other mails are waiting, at
// the default rate.
//
//   npm run experiment -- mail-request --help

import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { readFlags } from '../flags.ts'
import { faultOf, measureMailRequest } from './request.ts'

const flags = readFlags('mail-request')
await using postgres = await startTemporaryPostgres()
const { appUrl } = await postgres.createDatabase()
const figures = await measureMailRequest(appUrl, {
  waiting: Number(flags.waiting),
  requests: Number(flags.requests),
  isInTurn: flags['in-turn'],
})
const fault = faultOf(figures)
const { waiting, requests, p50Ms, p95Ms, maxMs, stillWaiting } = figures
process.stdout.write(
  flags.json
    ? `${JSON.stringify({ ...figures, fault: fault ?? null })}\n`
    : `${requests} requests beside ${waiting} mails: median ${p50Ms} ms, p95 ${p95Ms} ms, at most ${maxMs} ms; ${stillWaiting} still waiting\n${fault ?? 'The guarantee held.'}\n`,
)
process.exitCode = fault === undefined ? 0 : 1
