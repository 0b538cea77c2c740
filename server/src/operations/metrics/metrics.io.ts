// Counts what the process does, and renders it for Prometheus. It is loaded once the role is ready, because loading the client
// takes some 50 ms. From then on, what is published is counted (foundation/measurements.io.ts).

import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { ClusterRegistry, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client'
import {
  databaseUnavailable,
  installationMeasured,
  listenerOf,
  operationOf,
  workDone,
  type Listener,
} from '../../foundation/measurements.io.ts'
import { SECOND } from '../../foundation/time.ts'
import { metricTable, type MetricName } from './metric-table.ts'

export type Metrics = {
  /** With its Content-Type. In a process that supervises others, of all of them together. */
  render(): Promise<{ type: string; text: string }>
}

export type Build = { version: string; commit: string; role: string }

/** After that, another worker measures, or none does. */
const SAMPLES_HELD_MS = 45 * SECOND

export function startMetrics(build: Build, isClustered: boolean): Metrics {
  const registry = new Registry()
  const options = (name: MetricName) => {
    const { help, labels, buckets, combined } = metricTable[name]
    return {
      name,
      help,
      labelNames: Object.keys(labels),
      registers: [registry],
      ...(buckets && { buckets: [...buckets] }),
      ...(combined && { aggregator: combined }),
    }
  }
  new Gauge<string>(options('petstore_build_info')).set(build, 1)
  new Gauge<string>(options('petstore_start_time_seconds')).set(Math.round(performance.timeOrigin / SECOND))
  countRequests(
    new Counter<string>(options('petstore_http_requests_total')),
    new Histogram<string>(options('petstore_http_request_duration_seconds')),
  )
  const unavailable = new Counter<string>(options('petstore_db_unavailable_total'))
  // From the beginning, since an increase is only seen from one value to another.
  for (const reason of ['pool', 'server']) unavailable.inc({ reason }, 0)
  databaseUnavailable.subscribe(({ reason }) => unavailable.inc({ reason }))
  const runs = new Counter<string>(options('petstore_work_runs_total'))
  workDone.subscribe(({ kind, outcome }) => runs.inc({ kind, outcome }))
  holdSamples(registry, (name) => new Gauge<string>(options(name)))

  const type = registry.contentType
  if (!isClustered) return { render: async () => ({ type, text: await registry.metrics() }) }
  ClusterRegistry.setRegistries(registry)
  const all = new ClusterRegistry()
  return { render: async () => ({ type, text: await all.clusterMetrics() }) }
}

type Exchange = { request: Timed; response: ServerResponse; server: Server }
const STARTED = Symbol('started')
type Timed = IncomingMessage & { [STARTED]?: number }

/** Node publishes every request and response of the process. Connections that end before the response does are not counted. */
function countRequests(requests: Counter<string>, durations: Histogram<string>): void {
  subscribe('http.server.request.start', (message) => {
    const { request } = message as Exchange
    request[STARTED] = performance.now()
  })
  subscribe('http.server.response.finish', (message) => {
    const { request, response, server } = message as Exchange
    const listener = listenerOf(server)
    if (listener === undefined) return
    const api = apiOf(listener, request.url ?? '')
    requests.inc({ api, operation: operationOf(response), status: `${Math.floor(response.statusCode / 100)}xx` })
    const started = request[STARTED]
    if (started === undefined || (api !== 'v1' && api !== 'site')) return
    durations.observe({ api }, (performance.now() - started) / SECOND)
  })
}

function apiOf(listener: Listener, url: string): string {
  if (listener !== 'api') return listener
  if (url.startsWith('/v1/')) return 'v1'
  return url.startsWith('/platform/v1/') ? 'platform' : 'web'
}

/** A gauge exists for as long as it has been measured lately: without a value it would be 0. */
function holdSamples(registry: Registry, gaugeOf: (name: MetricName) => Gauge<string>): void {
  const gauges = new Map<string, Gauge<string>>()
  const forget = () => {
    for (const name of gauges.keys()) registry.removeSingleMetric(name)
    gauges.clear()
  }
  const expiry = setTimeout(forget, SAMPLES_HELD_MS).unref()
  installationMeasured.subscribe((samples) => {
    forget()
    expiry.refresh()
    for (const { metric, labels, value } of samples) {
      const gauge = gauges.get(metric) ?? gaugeOf(metric as MetricName)
      gauges.set(metric, gauge)
      gauge.set({ ...labels }, value)
    }
  })
}
