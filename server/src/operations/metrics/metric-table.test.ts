// The table of metrics bounds the series of a process, and is the source of what rules and panels may name; each alert leads
// to a paragraph about it.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '@petstore-platform/contract/operations'
import { calls } from '@petstore-platform/contract/platform/calls'
import { expect, test } from 'vitest'
import { panels } from '../../../../testbed/harness/monitoring-panels.ts'
import { labelValues, openValues, type ValuesName } from './label-values.ts'
import { metricTable, type Metric } from './metric-table.ts'

const root = join(import.meta.dirname, '../../../..')
const rules = readFileSync(join(root, 'monitoring/rules.yaml'), 'utf8')
const chapter = readFileSync(join(root, 'docs/operations.md'), 'utf8')
const operationIds = [...operations.map(({ operationId }) => operationId), ...Object.keys(calls)]

/** What expressions name: metrics, and what a rule of the same file records. */
function unknownMetrics(text: string): string[] {
  const recorded = new Set([...rules.matchAll(/record: (\S+)/g)].map(([, name]) => name))
  const series = Object.entries<Metric>(metricTable).flatMap(([name, { type }]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => `${name}${part}`) : [name],
  )
  const known = new Set([...recorded, ...series])
  return [...text.matchAll(/\bpetstore[_:][\w:]+/g)].map(([name]) => name).filter((name) => !known.has(name))
}

/** The anchors of the alerts, without one where an alert has none; and those that the document lacks. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/runbook_url: docs\/operations\.md#(\S+)/g)].map(([, id]) => id ?? '')
const anchors = new Set(
  [...chapter.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  ),
)
const lackingAnchors = (text: string) => anchorsOf(text).filter((id) => !anchors.has(id))

const countOf = (values: ValuesName): number => {
  if (values === 'operation') return operationIds.length
  return values in openValues ? 1 : labelValues[values as keyof typeof labelValues].length
}

/** An operation belongs to one API; the others have none. */
function seriesOf(name: string, { type, labels, buckets = [] }: Metric): number {
  if (name === 'petstore_http_requests_total') {
    return (operationIds.length + labelValues.api.length) * labelValues.status.length
  }
  const combinations = Object.values(labels).reduce((count, values) => count * countOf(values), 1)
  return combinations * (type === 'histogram' ? buckets.length + 3 : 1)
}

test('a process has at most 2,000 series', () => {
  const counts = Object.entries<Metric>(metricTable).map(([name, metric]) => seriesOf(name, metric))
  expect(counts.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(2000)
})

test('rules and panels name metrics of the table', () => {
  expect(unknownMetrics(rules)).toEqual([])
  expect(panels.flatMap(({ queries }) => Object.values(queries).flatMap(unknownMetrics))).toEqual([])
})

test('a metric that was renamed is reported (negative control)', () => {
  const renamed = rules.replace(
    'max by (kind) (petstore_due_lag_seconds)',
    'max by (kind) (petstore_due_delay_seconds)',
  )
  expect(unknownMetrics(renamed)).toEqual(['petstore_due_delay_seconds'])
})

test('every alert leads to a paragraph of the chapter', () => {
  const alerts = rules.match(/^ +- alert: /gm) ?? []
  expect(alerts.length).toBeGreaterThan(7)
  expect(anchorsOf(rules)).toHaveLength(alerts.length)
  expect(lackingAnchors(rules)).toEqual([])
})

test('an anchor that was renamed is reported (negative control)', () => {
  expect(lackingAnchors(rules.replace('#alert-mail-relay', '#alert-relay'))).toEqual(['alert-relay'])
})

test('every metric serves a rule or a panel', () => {
  const used = `${rules} ${panels.map(({ queries }) => Object.values(queries).join(' ')).join(' ')}`
  expect(Object.keys(metricTable).filter((name) => !used.includes(name))).toEqual([])
})
