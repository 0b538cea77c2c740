// Writes docs/experiments.md (`npm run generate -- experiments`). With --check it writes nothing and fails if the
// file differs.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describedExperiments } from './catalogue.ts'
import { pageOf } from './description.ts'

const file = join(import.meta.dirname, '../../docs/experiments.md')
const text = pageOf(await describedExperiments())
if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write('docs/experiments.md differs from the descriptions. Run "npm run generate -- experiments".\n')
  process.exitCode = 1
}
