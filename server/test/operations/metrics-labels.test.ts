// Labels are closed sets: however many projects and visitors there are, a process has the same series.

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { operations } from '@petstore-platform/contract/operations'
import { calls } from '@petstore-platform/contract/platform/calls'
import { Counter, Registry } from '@prometheus-io/client'
import { expect, test } from 'vitest'
import { jobKinds, labelValues, type ValuesName } from '../../src/operations/metrics/label-values.ts'
import { metricTable, type Metric } from '../../src/operations/metrics/metric-table.ts'
import { startMetrics } from '../../src/operations/metrics/metrics.io.ts'
import { startWork } from '../../src/program/work.ts'
import { parseConfig } from '../../src/program/config.ts'
import type { Database, Db } from '../../src/foundation/postgres/postgres.io.ts'
import { atEnd } from '../../../testbed/harness/at-end.ts'
import { startTestService } from '../../../testbed/harness/service.ts'
import { newTenant } from '../v1/responses.ts'

const PROJECTS = 100
const REQUESTS = 100
const build = { version: '1.0.0', commit: 'abc', role: 'serve' }

const valuesOf: Readonly<Record<ValuesName, readonly string[]>> = {
  ...labelValues,
  operation: ['', ...operations.map(({ operationId }) => operationId), ...Object.keys(calls)],
  version: [build.version],
  commit: [build.commit],
}

/** Labels that the table does not list, or with values that it does not list. */
function openLabels(text: string): string[] {
  return seriesIn(text).flatMap((line) => {
    const [, series = '', labels = ''] = /^(\w+?)(?:\{(.*)\})? \S+$/.exec(line) ?? []
    const metric: Metric | undefined = Object.entries(metricTable).find(
      ([name]) => series === name || series.replace(/_(bucket|sum|count)$/, '') === name,
    )?.[1]
    return [...labels.matchAll(/(\w+)="([^"]*)"/g)].flatMap(([, label = '', value = '']) => {
      const known = metric?.labels[label]
      const isKnown = label === 'le' || (known !== undefined && valuesOf[known].includes(value))
      return isKnown ? [] : [`${series} ${label}=${value}`]
    })
  })
}

const seriesIn = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

/** Negative control: the same requests, counted with a label more. */
function countPaths(): Registry {
  const registry = new Registry()
  const name = 'petstore_http_requests_total'
  const leaking = new Counter({ name, help: 'Requests.', labelNames: ['api', 'path'], registers: [registry] })
  const count = (message: unknown) => {
    const { request } = message as { request: IncomingMessage }
    leaking.inc({ api: 'v1', path: `${request.headers.host}${request.url}` })
  }
  subscribe('http.server.response.finish', count)
  atEnd(() => void unsubscribe('http.server.response.finish', count))
  return registry
}

test('after requests of many projects no label has a project, a name or an address', async () => {
  const metrics = startMetrics(build, false)
  const leaking = countPaths()
  const service = await startTestService()
  const paths = (at: number) => [
    `/v1/pets/${at}`,
    '/v1/pets',
    `/v1/nothing-${at}`,
    `/platform/v1/projects/${at}`,
    `/${at}`,
  ]
  for (let project = 0; project < PROJECTS; project += 1) {
    const tenant = await newTenant(service)
    const sent = Array.from({ length: REQUESTS }, (_, at) => paths(at)[at % 5] ?? '/')
    await Promise.all(sent.map((path) => tenant.get(path, { Host: `shop-${project}.example` })))
  }
  const { text } = await metrics.render()
  const getPets = PROJECTS * (REQUESTS / 5)
  expect(text).toContain(`petstore_http_requests_total{api="v1",operation="getPet",status="4xx"} ${getPets}`)
  expect(openLabels(text)).toEqual([])
  expect(seriesIn(text).length).toBeLessThan(100)

  const leaked = await leaking.metrics()
  expect(openLabels(leaked)).toContain('petstore_http_requests_total path=shop-7.example/v1/pets/5')
  expect(seriesIn(leaked).length).toBeGreaterThan(2000)
})

test('the kinds of jobs are those that workers claim', async () => {
  const { service, database } = await startTestService()
  const claimed = new Set<string>()
  const run: Db = (statement, ...values) => {
    if (statement.name === 'ready-kinds') (values[0] as readonly string[]).forEach((kind) => claimed.add(kind))
    if (statement.name === 'claim-timers') claimed.add(String(values[0]))
    return service.database.run(statement, ...values)
  }
  const recorded: Database = { ...service.database, run }
  const work = await startWork(parseConfig({ DATABASE_URL: database.appUrl }), { database: recorded })
  atEnd(() => work.stop())
  // Those that need mail, certificates or names of the platform are not configured here.
  const configured = ['certificate', 'challenge_record', 'mail', 'mail_urgent', 'platform_name', 'platform_names']
  const expected = jobKinds.filter((kind) => !configured.includes(kind))
  await expect.poll(() => [...claimed].sort()).toEqual(expected)
})
