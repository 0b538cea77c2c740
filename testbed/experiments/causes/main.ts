// Diagnoses every fixture of the corpus on real nameservers.

import { readFileSync, writeFileSync } from 'node:fs'
import { causeCodes } from '../../../server/src/domains/causes/causes.ts'
import { corpus, type Topic } from '../../zones/corpus.ts'
import { ADVICE_FILE, CAUSES_FILE, printAdvice, printCauses } from '../../zones/print.ts'
import { isRight, runCorpus, type Result } from '../../zones/run.ts'
import { spreadOf } from '../../harness/quantile.ts'
import { readFlags } from '../flags.ts'
import { conclude } from '../outcome.ts'

const values = readFlags('causes')

const topics = values.only?.split(',') ?? Object.keys(corpus)
const fixtures = topics.flatMap((topic) => corpus[topic as Topic] ?? [])
// Committed files must not depend on how busy the machine is.
const again = values.write || values.check ? 2 : 0
const results = await runCorpus(fixtures, { onResult: values.verbose ? printResult : () => {}, again })
if (!values.json) for (const result of results.filter((each) => !isRight(each))) printResult(result)

const right = results.filter(isRight).length
const shown = new Set(results.filter(isRight).flatMap(({ found }) => found ?? []))
const figures = {
  causes: causeCodes.length,
  shown: shown.size,
  fixtures: results.length,
  right,
  share: right / Math.max(1, results.length),
  unknown: results.filter(({ fixture, found }) => fixture.cause !== null && found === null).length,
  ms: spreadOf(results.map(({ ms }) => ms)),
}

const files: readonly (readonly [path: string, text: string])[] = [
  [CAUSES_FILE, printCauses(corpus)],
  [ADVICE_FILE, printAdvice(results)],
]
if (values.write) for (const [path, text] of files) writeFileSync(path, text)
const stale = values.check ? files.filter(([path, text]) => readFileSync(path, 'utf8') !== text) : []
conclude(
  values,
  { ...figures, missing: causeCodes.filter((code) => !shown.has(code)) },
  figures.share >= 0.98 ? undefined : `the root cause is right for ${right} of ${results.length} fixtures`,
  figures.unknown === 0 ? undefined : `${figures.unknown} troubles are unknown`,
  ...stale.map(([path]) => `${path} differs. Run "npm run generate -- advice".`),
)

function printResult(result: Result): void {
  const { fixture, found, advice, judgement, ms } = result
  const print = (text: string) => void (values.json ? process.stderr : process.stdout).write(`${text}\n`)
  const codes = judgement.troubles.map(({ code }) => code).join(', ')
  print(
    `${isRight(result) ? 'ok  ' : 'FAIL'} ${fixture.hostname}: ${fixture.says}\n     wanted ${fixture.cause}, found ${found} [${codes}] ${judgement.ownership}/${judgement.routing} in ${ms.toFixed(0)} ms`,
  )
  if (advice !== null) print(`     ${advice}`)
}
