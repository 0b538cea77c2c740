// Restores a database of some days ago next to a bucket of today.
//
//   npm run experiment -- photo-restore --help

import { startObjectGateway } from '../../harness/object-gateway.ts'
import { readFlags } from '../flags.ts'
import { faultOf, restorePhotos } from './run.ts'

const flags = readFlags('photo-restore')
const store = await startObjectGateway()
try {
  const startedAt = performance.now()
  const { asItIs, atOnce } = await restorePhotos({ store, photos: Number(flags.photos), days: Number(flags.days) })
  const figures = flags.immediate ? atOnce : asItIs
  const fault = faultOf(figures)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const { photos, deletedSince, addedSince, missing, missingAfterSweep } = figures
  process.stdout.write(
    flags.json
      ? `${JSON.stringify({ ...figures, seconds, fault: fault ?? null })}\n`
      : `${photos} photos in the backup; since then ${deletedSince} deleted, ${addedSince} added; ${missing} files missing, ` +
          `${missingAfterSweep} after a sweep; ${seconds} s\n${fault ?? 'Every photo has its files.'}\n`,
  )
  process.exitCode = fault === undefined ? 0 : 1
} finally {
  await store.stop()
}
