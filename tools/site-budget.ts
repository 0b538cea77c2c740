// `npm run site-budget`: prints what a visitor loads for the home page of a site, in both looks, and fails if it is
// more than the budget allows.

import { parseArgs } from 'node:util'
import { kB } from './kilobytes.ts'
import { faultsOf, limits, measureSites, type PageSize } from './site-page-size.ts'
import { say } from './steps.ts'

const usage = `npm run site-budget -- [--json]

What a visitor loads for the home page of a site with 12 animals: page and style in gzip, and the typefaces; and the
page with 48 animals with photos in brotli, as "full".

  --json   print one JSON value`

const lineOf = ({ look, ...figures }: PageSize) =>
  [
    look.padEnd(8),
    ...(['html', 'full', 'style', 'fonts'] as const).map(
      (part) => `${part} ${kB(figures[part])} of ${kB(limits[look][part])}`,
    ),
  ].join('   ')

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
})
if (values.help) say(usage)
else {
  const sizes = measureSites()
  const faults = faultsOf(sizes)
  if (values.json) say(JSON.stringify({ sizes, limits, faults }))
  else for (const line of [...sizes.map(lineOf), ...faults.map((fault) => `FAILED ${fault}`)]) say(line)
  process.exitCode = faults.length > 0 ? 1 : 0
}
