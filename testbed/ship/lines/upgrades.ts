// Upgrades, migrations that meet a reader, and respawning. That restarts in turn fail no request is the line `rolling-restart`
// of the safety suite.

import type { Figures } from '../../experiments/claims.ts'
import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { lockFault, migratePastReader } from '../../upgrades/locks.ts'
import { killBoth, respawnFault } from '../../upgrades/respawn.ts'
import type { DrillDatabase } from '../../upgrades/store.ts'
import { contractFault, dropColumn, upgradeAndReturn, upgradeFault } from '../../upgrades/versions.ts'
import type { ShipLine } from '../line.ts'

const REQUESTS = 20_000
const PER_SECOND = 300
/** For which the reader reads. */
const READING_SECONDS = 20

/** On a database of its own. */
async function drilled<Found extends object>(
  drill: (database: DrillDatabase) => Promise<Found>,
  faultOf: (found: Found) => string | undefined,
): Promise<Figures> {
  await using postgres = await startTemporaryPostgres()
  const found = await drill(await postgres.createDatabase())
  const fault = faultOf(found)
  if (fault !== undefined) throw new Error(fault)
  return Object.fromEntries(Object.entries(found).filter(([, value]) => typeof value === 'number'))
}

export const upgrades: readonly ShipLine[] = [
  {
    name: 'versions',
    title: 'no request of 20,000 fails while the next release migrates and starts, and this one is started again',
    run: () =>
      drilled((database) => upgradeAndReturn(database, { requests: REQUESTS, perSecond: PER_SECOND }), upgradeFault),
    control: {
      title: 'after a migration that drops a column, the former release refuses to start',
      run: () => drilled(dropColumn, contractFault),
    },
  },
  {
    name: 'locks',
    title: 'a migration names the reader that blocks it, and succeeds afterwards',
    isIdle: true,
    run: () =>
      drilled((database) => migratePastReader(database, { seconds: READING_SECONDS, isRetrying: true }), lockFault),
    control: {
      title: 'without retries it fails',
      run: () =>
        drilled(
          (database) => migratePastReader(database, { seconds: 3, isRetrying: false }),
          ({ code }) => (code === 1 ? undefined : `The migration ended with ${code}.`),
        ),
    },
  },
  {
    name: 'respawn',
    title: 'a supervisor that cannot replace its processes ends after at most 6 attempts',
    isIdle: true,
    run: () => drilled((database) => killBoth(database, { isBroken: true }), respawnFault),
    control: {
      title: 'processes that can be replaced are',
      run: () =>
        drilled(
          (database) => killBoth(database, { isBroken: false }),
          (found) => (respawnFault(found) === undefined ? 'The supervisor ended.' : undefined),
        ),
    },
  },
]
