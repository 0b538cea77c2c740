// Whether the database has room for more: `DATABASE_BYTES_MAX` is what the disk under it holds, if it is set. From 85 % it
// is logged; from 95 % what grows fastest is refused, so that there is room for what may never fail: requests of visitors,
// decisions, reading. Each process measures at most once a minute.

import { FreshCache } from '../load/cache.ts'
import { Refusal } from '../refusal.ts'
import { MINUTE, type Clock } from '../time.ts'
import { statement, type Db } from './postgres.io.ts'

const WARNED_SHARE = 0.85
const REFUSED_SHARE = 0.95
const RETRY_SECONDS = 600

export type DatabaseCapacity = {
  /** Throws a refusal from 95 %; `warn` is called with a measurement from 85 %. */
  refuseFull(warn: (message: string) => void): Promise<void>
}

const sizeRow = statement<{ bytes: number }, []>(
  'measure-database',
  `select pg_database_size(current_database())::float8 as bytes`,
)

export const databaseBytes = async (run: Db): Promise<number> => (await run(sizeRow))[0]?.bytes ?? 0

export function databaseCapacity(
  { run, now }: { run: Db; now: Clock },
  bytesMax: number | undefined,
): DatabaseCapacity {
  const sizes = new FreshCache<number>({ holdMs: MINUTE, countMax: 1, now })
  const measure = async (warn: (message: string) => void) => {
    const bytes = await databaseBytes(run)
    if (bytesMax !== undefined && bytes >= WARNED_SHARE * bytesMax) warn(messageOf(bytes, bytesMax))
    return bytes
  }
  return {
    async refuseFull(warn) {
      if (bytesMax === undefined) return
      const bytes = (await sizes.get('all', () => measure(warn))) ?? 0
      if (bytes < REFUSED_SHARE * bytesMax) return
      throw new Refusal(
        'service_unavailable',
        'This installation has almost no room left: imports, uploads and sign-ups are not accepted until its operator ' +
          `adds some. Everything else works. Retry in ${RETRY_SECONDS / 60} minutes.`,
        { 'Retry-After': String(RETRY_SECONDS) },
      )
    },
  }
}

function messageOf(bytes: number, bytesMax: number): string {
  const share = Math.floor((100 * bytes) / bytesMax)
  const effect = share >= 100 * REFUSED_SHARE ? 'imports, uploads and sign-ups get 503' : 'from 95 % uploads get 503'
  return `the database has ${share} % of DATABASE_BYTES_MAX (${bytes} of ${bytesMax} bytes): ${effect}`
}
