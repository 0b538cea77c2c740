// The panels of the dashboard for Grafana, in two columns, and the JSON that Grafana imports.

export type Panel = {
  title: string
  /** The unit of Grafana. */
  unit: 'percentunit' | 'reqps' | 's' | 'bytes' | 'short'
  /** By legend. */
  queries: Readonly<Record<string, string>>
}

export const panels: readonly Panel[] = [
  {
    title: 'Requests',
    unit: 'reqps',
    queries: { '{{api}} {{status}}': 'sum by (api, status) (rate(petstore_http_requests_total[5m]))' },
  },
  {
    title: 'Failed requests, by operation',
    unit: 'reqps',
    queries: {
      '{{api}} {{operation}}': 'sum by (api, operation) (rate(petstore_http_requests_total{status="5xx"}[5m]))',
    },
  },
  {
    title: 'Share of failed requests',
    unit: 'percentunit',
    queries: { '{{api}}': 'petstore:error_ratio:5m' },
  },
  {
    title: 'Duration of requests, p99',
    unit: 's',
    queries: {
      '{{api}}': 'histogram_quantile(0.99, sum by (api, le) (rate(petstore_http_request_duration_seconds_bucket[5m])))',
    },
  },
  {
    title: 'Oldest due job, by kind',
    unit: 's',
    queries: { '{{kind}}': 'max by (kind) (petstore_due_lag_seconds)' },
  },
  {
    title: 'Failed runs of jobs, by kind',
    unit: 'reqps',
    queries: { '{{kind}}': 'sum by (kind) (rate(petstore_work_runs_total{outcome="failure"}[5m]))' },
  },
  {
    title: 'PostgreSQL unavailable, or no connection free',
    unit: 'reqps',
    queries: { '{{reason}}': 'sum by (reason) (rate(petstore_db_unavailable_total[5m]))' },
  },
  {
    title: 'Database',
    unit: 'bytes',
    queries: { size: 'max(petstore_database_bytes)', DATABASE_BYTES_MAX: 'max(petstore_database_bytes_max)' },
  },
  {
    title: 'Edges',
    unit: 'short',
    queries: { '{{state}}': 'max by (state) (petstore_edges)' },
  },
  {
    title: 'First end of a certificate in use',
    unit: 's',
    queries: { 'time left': 'min(petstore_certificate_earliest_end_timestamp_seconds) - time()' },
  },
  {
    title: 'Failures of the mail relay in a row',
    unit: 'short',
    queries: { '{{queue}}': 'max by (queue) (petstore_mail_relay_failures)' },
  },
  {
    title: 'Age of the last backup',
    unit: 's',
    queries: { age: 'time() - max(petstore_backup_last_success_timestamp_seconds)' },
  },
  {
    title: 'Releases that run',
    unit: 'short',
    queries: { '{{role}} {{version}} {{commit}}': 'count by (role, version, commit) (petstore_build_info)' },
  },
]

const WIDTH = 12
const HEIGHT = 8

const shownPanel = ({ title, unit, queries }: Panel, index: number) => ({
  id: index + 1,
  type: 'timeseries',
  title,
  datasource: { type: 'prometheus', uid: '${datasource}' },
  gridPos: { x: (index % 2) * WIDTH, y: Math.floor(index / 2) * HEIGHT, w: WIDTH, h: HEIGHT },
  fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
  targets: Object.entries(queries).map(([legendFormat, expr], at) => ({
    refId: String.fromCharCode(65 + at),
    expr,
    legendFormat,
  })),
})

export const dashboardJson = (): string =>
  `${JSON.stringify(
    {
      title: 'Petstore',
      uid: 'petstore',
      schemaVersion: 41,
      time: { from: 'now-6h', to: 'now' },
      refresh: '1m',
      templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source' }] },
      panels: panels.map(shownPanel),
    },
    undefined,
    2,
  )}\n`
