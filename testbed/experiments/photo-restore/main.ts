// Restores a database of some days ago next to a bucket of today.

import { startObjectGateway } from '../../harness/object-gateway.ts'
import { readFlags } from '../flags.ts'
import { conclude } from '../outcome.ts'
import { faultOf, restorePhotos } from './run.ts'

const flags = readFlags('photo-restore')
const store = await startObjectGateway()
try {
  const startedAt = performance.now()
  const { asItIs, atOnce } = await restorePhotos({ store, photos: Number(flags.photos), days: Number(flags.days) })
  const figures = flags.immediate ? atOnce : asItIs
  conclude(flags, { ...figures, seconds: Math.round((performance.now() - startedAt) / 1000) }, faultOf(figures))
} finally {
  await store.stop()
}
