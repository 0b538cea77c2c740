// Writes monitoring/dashboard.json and docs/metrics.md (`npm run generate -- monitoring`).

import { join } from 'node:path'
import { labelValues, openValues, type ValuesName } from '../../server/src/operations/metrics/label-values.ts'
import { metricTable, perInstallation, type Metric } from '../../server/src/operations/metrics/metric-table.ts'
import { writeGenerated } from '../../tools/generated-file.ts'
import { dashboardJson } from './monitoring-panels.ts'

const root = join(import.meta.dirname, '../..')

const valuesOf = (values: ValuesName): string =>
  values in openValues
    ? openValues[values as keyof typeof openValues]
    : labelValues[values as keyof typeof labelValues].map((value) => `\`${value}\``).join(', ')

const rows = Object.entries<Metric>(metricTable).map(([name, { type, help, labels }]) => {
  const shown = Object.entries(labels).map(([label, values]) => `\`${label}\`: ${valuesOf(values)}`)
  return `| \`${name}\` | ${type} | ${name in perInstallation ? 'one worker' : 'every role'} | ${help} | ${shown.join('; ')} |`
})

const page = `<!-- Generated from server/src/operations/metrics: change that, then "npm run generate -- monitoring". -->
# Metrics

What the admin listener of each role returns at \`/metrics\`, in the text format of Prometheus. No label contains a project,
a hostname, a path or an address: the values of each are listed here, so that a process has at most 2,000 series. How to
scrape it, and what the alerts mean: [Monitoring](operations.md#monitoring).

| metric | type | exported by | meaning | labels |
|---|---|---|---|---|
${rows.join('\n')}
`

writeGenerated('monitoring', join(root, 'docs/metrics.md'), page)
writeGenerated('monitoring', join(root, 'monitoring/dashboard.json'), dashboardJson())
