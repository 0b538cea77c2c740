// The metrics of every role: the registry, docs/metrics.md and the tests read this table. A label has a closed set of
// values (label-values.ts), never a project, hostname, path or address.

import type { ValuesName } from './label-values.ts'

export type Metric = {
  type: 'counter' | 'gauge' | 'histogram'
  help: string
  /** By name, where its values are in label-values.ts. */
  labels: Readonly<Record<string, ValuesName>>
  buckets?: readonly number[]
  /** How the values of the processes behind one port are combined; otherwise they are summed. */
  combined?: 'first' | 'min' | 'max'
}

type Labels = Metric['labels']
const counter = (help: string, labels: Labels = {}): Metric => ({ type: 'counter', help, labels })
/** Of the installation: another process may have measured it a moment before. */
const gauge = (help: string, labels: Labels = {}, combined: Metric['combined'] = 'max'): Metric => ({
  type: 'gauge',
  help,
  labels,
  combined,
})

const perProcess = {
  petstore_build_info: gauge(
    '1, with the release that runs.',
    { version: 'version', commit: 'commit', role: 'role' },
    'first',
  ),
  petstore_start_time_seconds: gauge('When the process began to run, in seconds since 1970.', {}, 'min'),
  petstore_http_requests_total: counter('Requests that got a response, by operation where an API has one.', {
    api: 'api',
    operation: 'operation',
    status: 'status',
  }),
  petstore_http_request_duration_seconds: {
    type: 'histogram',
    help: 'From the header section of a request until its response was sent, of the APIs that have an objective for it.',
    labels: { api: 'timedApi' },
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  },
  petstore_db_unavailable_total: counter(
    'Statements and transactions that found no connection free in time (pool), or no answer of PostgreSQL (server).',
    { reason: 'reason' },
  ),
  petstore_work_runs_total: counter('Runs of background jobs.', { kind: 'kind', outcome: 'outcome' }),
} satisfies Readonly<Record<string, Metric>>

/** Exported by the worker that has measured them. */
export const perInstallation = {
  petstore_due_lag_seconds: gauge(
    'For how long the oldest due job of a kind has been waiting for a worker; 0 if none waits.',
    { kind: 'kind' },
  ),
  petstore_mail_relay_failures: gauge('Failures of the mail relay in a row.', { queue: 'queue' }),
  petstore_certificate_earliest_end_timestamp_seconds: gauge(
    'When the first of the certificates in use ends, in seconds since 1970.',
    {},
    'min',
  ),
  petstore_database_bytes: gauge('Size of the database.'),
  petstore_database_bytes_max: gauge(
    'DATABASE_BYTES_MAX: what the disk of the database holds. Absent if it is not set.',
  ),
  petstore_edges: gauge('Edges that are enrolled and not revoked.', { state: 'edgeState' }),
  petstore_backup_last_success_timestamp_seconds: gauge(
    'When the last backup was taken, in seconds since 1970; when Petstore was installed, if there was none.',
  ),
} satisfies Readonly<Record<string, Metric>>

export const metricTable: Readonly<Record<keyof typeof perProcess | keyof typeof perInstallation, Metric>> = {
  ...perProcess,
  ...perInstallation,
}

export type MetricName = keyof typeof metricTable
export type InstallationMetric = keyof typeof perInstallation
