// For each alert, series with which it fires and series with which it is silent, in the notation of `promtool test rules`:
// `0+60x90` begins at 0 and adds 60, ninety times, a minute apart.

type Series = Readonly<Record<string, string>>
/** Samples and evaluations are a minute apart, or half an hour where days pass. */
type Step = '1m' | '30m'
export type AlertCase = { alert: string; fires: Series; silent: Series; at: string; step?: Step }

const requests = (api: string, status: string) =>
  `petstore_http_requests_total{api="${api}",operation="",status="${status}"}`
const errorsOf = (api: string, alert: string): AlertCase => ({
  alert,
  fires: { [requests(api, '2xx')]: '0+600x5000', [requests(api, '5xx')]: '0+60x5000' },
  silent: { [requests(api, '2xx')]: '0+600x5000', [requests(api, '5xx')]: '0+0.01x5000' },
  at: '2h',
})

const bucket = 'petstore_http_request_duration_seconds_bucket{api="v1",le="0.25"}'
const count = 'petstore_http_request_duration_seconds_count{api="v1"}'
const slow = (alert: string): AlertCase => ({
  alert,
  fires: { [bucket]: '0+300x5000', [count]: '0+600x5000' },
  silent: { [bucket]: '0+599x5000', [count]: '0+600x5000' },
  at: '2h',
})
const later = (one: AlertCase): AlertCase => ({ ...one, alert: `${one.alert}Slowly`, at: '3d1h', step: '30m' })

/** A gauge with one value that fires, and one that does not. */
const gauge = (
  alert: string,
  series: string,
  fires: string,
  silent: string,
  at = '30m',
  step: Step = '1m',
): AlertCase => ({
  alert,
  fires: { [series]: fires },
  silent: { [series]: silent },
  at,
  step,
})

const END = 'petstore_certificate_earliest_end_timestamp_seconds'
const BACKUP = 'petstore_backup_last_success_timestamp_seconds'
const unavailable = (reason: string) => `petstore_db_unavailable_total{reason="${reason}",instance="one"}`
const DAY = 86_400

export const alertCases: readonly AlertCase[] = [
  ...[errorsOf('v1', 'PetstoreErrors'), errorsOf('site', 'PetstoreSiteErrors'), slow('PetstoreSlow')].flatMap((one) => [
    one,
    later(one),
  ]),
  gauge('PetstoreQueueWaits', 'petstore_due_lag_seconds{kind="import"}', '600x60', '200x60'),
  gauge('PetstoreMailRelayFails', 'petstore_mail_relay_failures{queue="urgent"}', '3x60', '2x60'),
  // The clock of a test begins at 0.
  gauge('PetstoreCertificateEnds', END, `${13 * DAY}x120`, `${15 * DAY}x120`, '90m'),
  {
    alert: 'PetstoreDatabaseFull',
    fires: { petstore_database_bytes: '86x60', petstore_database_bytes_max: '100x60' },
    silent: { petstore_database_bytes: '84x60', petstore_database_bytes_max: '100x60' },
    at: '30m',
  },
  gauge('PetstoreEdgeDisconnected', 'petstore_edges{state="disconnected"}', '1x60', '0x60'),
  gauge('PetstoreBackupOld', BACKUP, '0x60', '7200x60', '27h', '30m'),
  gauge('PetstoreDown', 'up{job="petstore",instance="one"}', '0x60', '1x60'),
  gauge('PetstoreRestarts', 'petstore_start_time_seconds{instance="one"}', '0+60x60', '5x60'),
  gauge('PetstoreMeasuresNothing', 'petstore_due_lag_seconds{kind="import"}', '_x60', '0x60'),
  gauge('PetstoreDatabaseUnavailable', unavailable('server'), '0+6x60', '5x60'),
  gauge('PetstorePoolExhausted', unavailable('pool'), '0+6x60', '5x60'),
]

export const steps: readonly Step[] = ['1m', '30m']

/** JSON is YAML. */
export function promtoolTests(rules: string, step: Step): string {
  const testOf = ({ alert, at }: AlertCase, series: Series, isFiring: boolean) => ({
    interval: step,
    name: `${alert} ${isFiring ? 'fires' : 'is silent'}`,
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
        eval_time: at,
        exp_samples: isFiring ? [{ labels: '{}', value: 1 }] : [],
      },
    ],
  })
  return JSON.stringify({
    rule_files: [rules],
    evaluation_interval: step,
    tests: alertCases
      .filter((one) => (one.step ?? '1m') === step)
      .flatMap((one) => [testOf(one, one.fires, true), testOf(one, one.silent, false)]),
  })
}
