// Writes docs/domain-causes.md (`npm run generate -- causes`). With --check it writes nothing
// and fails if the file differs. The advice to owners in each case, advice.txt, needs the test
// internet: `npm run generate -- advice`.

import { readFileSync, writeFileSync } from 'node:fs'
import { corpus } from './corpus.ts'
import { CAUSES_FILE, printCauses } from './print.ts'

const text = printCauses(corpus)
if (!process.argv.includes('--check')) writeFileSync(CAUSES_FILE, text)
else if (readFileSync(CAUSES_FILE, 'utf8') !== text) {
  process.stderr.write('docs/domain-causes.md differs from the table of causes. Run "npm run generate -- causes".\n')
  process.exitCode = 1
}
