// Renewals of the wildcard certificate by RFC 2136, while visitors connect.
//
//   npm run experiment -- wildcard-renewal --help
//
// The guarantee: no handshake fails, every certificate is seen, no TXT record is left in the zone, and a
// wrong key is reported within ten seconds while the certificate stays. `--restarts` (negative control)
// restarts Caddy for each certificate, as a server that reads it at its start must be.

import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { readFlags } from '../flags.ts'
import { renewUnderHandshakes, type Renewed } from './run.ts'

const REPORTED_MS = 10_000

export function renewalFault(measured: Renewed, renewals: number): string | undefined {
  const { serials, handshakes, failed, reports, left, wrongKey } = measured
  if (failed > 0) return `${failed} of ${handshakes} handshakes failed`
  if (serials.length !== renewals + 1) return `visitors saw ${serials.length} certificates, not ${renewals + 1}`
  if (reports.length > 0) return `the background work reported: ${reports[0]}`
  if (left > 0) return `${left} TXT records are left in the zone`
  if (!wrongKey.isKept) return 'the certificate was lost with a wrong key'
  if (!wrongKey.report.includes('BADSIG')) return `a wrong key was reported as "${wrongKey.report}"`
  return wrongKey.reportedMs > REPORTED_MS ? `a wrong key was reported after ${wrongKey.reportedMs} ms` : undefined
}

export const renewalLine = ({ handshakes, failed, serials, renewalMs, wrongKey }: Renewed): string =>
  `wildcard-renewal: ${handshakes} handshakes, ${failed} failed; ${serials.length} certificates, renewed in ` +
  `${renewalMs.join(', ')} ms; a wrong key was reported after ${wrongKey.reportedMs} ms`

if (import.meta.main) {
  const flags = readFlags('wildcard-renewal')
  await using postgres = await startTemporaryPostgres()
  const { appUrl } = await postgres.createDatabase()
  const [renewals, handshakes] = [Number(flags.renewals), Number(flags.handshakes)]
  const measured = await renewUnderHandshakes(appUrl, { renewals, handshakes, restarts: flags.restarts })
  const fault = renewalFault(measured, renewals)
  const text = flags.json
    ? JSON.stringify({ ...measured, fault: fault ?? null })
    : `${renewalLine(measured)}${fault === undefined ? '' : `\nFAILED: ${fault}`}`
  process.stdout.write(`${text}\n`)
  process.exitCode = fault === undefined ? 0 : 1
}
