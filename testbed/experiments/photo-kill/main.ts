// Photos under kill -9: service, worker and decoding processes are killed at random while owners upload.
//
//   npm run experiment -- photo-kill --help

import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { readFlags } from '../flags.ts'
import { faultOf, killPhotos } from './run.ts'

const flags = readFlags('photo-kill')
await using postgres = await startTemporaryPostgres()
const figures = await killPhotos(await postgres.createDatabase(), {
  kills: Number(flags.kills),
  port: Number(flags.port),
  losesBytes: flags.losing ?? false,
  // Hundreds of kills take a quarter of an hour.
  onKill: (count) => void (count % 50 === 0 && process.stderr.write(`${count} kills\n`)),
})
const fault = faultOf(figures)
const { kills, acknowledged, notReady, drift, orphans, seconds } = figures
process.stdout.write(
  flags.json
    ? `${JSON.stringify({ ...figures, fault: fault ?? null })}\n`
    : `${acknowledged} photos; kills: serve ${kills.serve}, work ${kills.work}, child ${kills.child}; ${notReady} not ready, ` +
        `usage wrong by ${drift} bytes, ${orphans} orphans, ${seconds} s\n${fault ?? 'The guarantees held.'}\n`,
)
process.exitCode = fault === undefined ? 0 : 1
