// Whether the installation has room for more photos: `MEDIA_BYTES_MAX` bounds what all projects store together, if it is
// set. The sum is a few seconds old, so uploads of that time may exceed it a little.

import { FreshCache } from '../foundation/load/cache.ts'
import { statement, type Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { Clock } from '../foundation/time.ts'

export type PhotoCapacity = {
  /** Throws a refusal if there is none. */
  refuseFull(bytes: number): Promise<void>
}

const HELD_MS = 5000
const RETRY_SECONDS = 60

const sumRows = statement<{ bytes: number }, []>('sum-photo-bytes', `select sum_photo_bytes()::float8 as bytes`)

export const photoBytes = async (run: Db): Promise<number> => (await run(sumRows))[0]?.bytes ?? 0

export function photoCapacity({
  run,
  bytesMax,
  now,
}: {
  run: Db
  bytesMax: number | undefined
  now: Clock
}): PhotoCapacity {
  const sums = new FreshCache<number>({ holdMs: HELD_MS, countMax: 1, now })
  return {
    async refuseFull(bytes) {
      if (bytesMax === undefined) return
      const used = (await sums.get('all', () => photoBytes(run))) ?? 0
      if (used + bytes <= bytesMax) return
      throw new Refusal('service_unavailable', 'There is no room for more photos at the moment. Try again later.', {
        'Retry-After': String(RETRY_SECONDS),
      })
    },
  }
}
