// Measures the whole installation every 15 seconds, for its gauges: a timer, so that one worker does it at a time. Every value
// comes from an index or a table of few rows, together in less than 50 ms.

import { earliestEnd } from '../../certificates/stored-queries.ts'
import { listEdges } from '../../fleet/directory.io.ts'
import { CONNECTED_MS } from '../../fleet/protocol.ts'
import type { Context } from '../../foundation/context.ts'
import { installationMeasured, type GaugeValue } from '../../foundation/measurements.io.ts'
import { databaseBytes } from '../../foundation/postgres/database-capacity.io.ts'
import { query, type Db } from '../../foundation/postgres/postgres.io.ts'
import { keepTimer, type TimerWork } from '../../foundation/postgres/timer-leases.io.ts'
import { dueLags } from '../../foundation/postgres/timer-status.io.ts'
import { MINUTE, SECOND, type Instant } from '../../foundation/time.ts'
import { mailQueues } from '../../mail/kinds.ts'
import { listRelayFailures } from '../../mail/outbox-queries.ts'
import { jobKinds } from './label-values.ts'
import type { InstallationMetric } from './metric-table.ts'

const EVERY_SECONDS = 15
/** Longer than a queue pauses: what failed before that is not being tried any more. */
const FAILURE_HELD_MS = 10 * MINUTE

const timer = { kind: 'measurement', project: 0n, id: 'installation' } as const

/** At every start. */
export const scheduleMeasurement = (run: Db) => keepTimer(run, timer, 0)

export const measurementWork = (
  { database, now }: Pick<Context, 'database' | 'now'>,
  databaseBytesMax: number | undefined,
): TimerWork => ({
  claimSeconds: EVERY_SECONDS,
  async work() {
    const samples = await database.transaction({}, (db) => measureInstallation(db, now(), databaseBytesMax))
    installationMeasured.publish(samples)
    return EVERY_SECONDS
  },
})

const lastBackup = query<{ at: Date }, [], Date | undefined>(
  'last-backup',
  `select coalesce((select taken_at from last_backup), min(applied_at)) as at from schema_migrations`,
  ([row]) => row?.at,
)

export async function measureInstallation(db: Db, at: Instant, bytesMax: number | undefined): Promise<GaugeValue[]> {
  const lags = await dueLags(db, jobKinds)
  const failures = (await listRelayFailures(db)).filter(({ failedAt }) => at - failedAt.getTime() < FAILURE_HELD_MS)
  const end = await earliestEnd(db)
  const bytes = await databaseBytes(db)
  const edges = (await listEdges(db, CONNECTED_MS / SECOND)).filter(({ enrolledAt }) => enrolledAt !== null)
  const connected = edges.filter(({ isConnected }) => isConnected).length
  const backup = await lastBackup(db)
  return [
    ...lags.map(({ kind, seconds }) => sample('petstore_due_lag_seconds', seconds, { kind })),
    ...mailQueues.map((queue) =>
      sample('petstore_mail_relay_failures', failures.find((one) => one.queue === queue)?.failures ?? 0, { queue }),
    ),
    ...(end ? [sample('petstore_certificate_earliest_end_timestamp_seconds', end.getTime() / SECOND)] : []),
    sample('petstore_database_bytes', bytes),
    ...(bytesMax === undefined ? [] : [sample('petstore_database_bytes_max', bytesMax)]),
    sample('petstore_edges', connected, { state: 'connected' }),
    sample('petstore_edges', edges.length - connected, { state: 'disconnected' }),
    ...(backup ? [sample('petstore_backup_last_success_timestamp_seconds', backup.getTime() / SECOND)] : []),
  ]
}

const sample = (metric: InstallationMetric, value: number, labels: GaugeValue['labels'] = {}): GaugeValue => ({
  metric,
  value,
  labels,
})
