// Level 1 of the ASVS is met, as far as it applies: every requirement is in the sheet, with tests that exist and assert
// something, a section of a document that exists, or a reason. The tests themselves run elsewhere; here their source is read.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AsvsRow } from '../asvs/row.ts'
import { countsOf, isOfLevelOne, partsOf, sheet } from '../asvs/sheet.ts'
import { levelOne, levelTwo, STANDARD } from '../asvs/standard.ts'
import { must, type SafetyLine, type SafetyRun } from '../line.ts'
import { testsInTree } from '../test-titles.ts'

export const safetyLine: SafetyLine = {
  title: 'Every requirement of ASVS level 1 names a test, a document or a reason',
  sizes: { small: 'every requirement', large: 'the same' },
  guards: [
    { name: 'test-titles', instead: 'a test that was renamed', isQuick: true },
    { name: 'test-assertions', instead: 'a test without the assertion that its row quotes', isQuick: true },
    { name: 'asvs-rows', instead: 'a requirement without a row', isQuick: true },
  ],
  run,
}

const root = join(import.meta.dirname, '../../..')

async function run({ without, report }: SafetyRun): Promise<void> {
  const rows = without === 'asvs-rows' ? sheet.slice(1) : sheet
  everyNumberOnce(rows)
  for (const row of rows) hasEvidence(row)
  const named = new Set(rows.flatMap(({ tests }) => tests))
  const found = testsInTree()
  const testsOf = without === 'test-titles' ? renamed(found, [...named].at(-1) ?? '') : found
  const sourceOf = (test: string) => {
    const [file, title, assertion] = partsOf(test)
    const source = testsOf(file).get(title)
    return without === 'test-assertions' && assertion !== undefined ? source?.replaceAll(assertion, '') : source
  }
  const missing = [...named].filter((test) => sourceOf(test) === undefined)
  must(missing.length === 0, `there is no test ${missing.join(', ')}`)
  const idle = [...named].filter((test) => !asserts(sourceOf(test) ?? '', test))
  must(idle.length === 0, `there is no such assertion in ${idle.join(', ')}`)
  const counts = countsOf(rows)
  report({
    standard: STANDARD,
    'level 1': rows.filter(isOfLevelOne).length,
    'by tests': counts.test,
    'by documents': counts.documentation,
    'do not apply': counts.reason,
    'level 2': rows.filter((row) => !isOfLevelOne(row)).length,
    'tests named': named.size,
  })
}

function everyNumberOnce(rows: readonly AsvsRow[]): void {
  const numbers = rows.map(({ number }) => number)
  const missing = [...levelOne, ...levelTwo].filter((number) => !numbers.includes(number))
  must(missing.length === 0, `no row for ${missing.join(', ')}`)
  const twice = numbers.filter((number, index) => numbers.indexOf(number) !== index)
  must(twice.length === 0, `more than one row for ${twice.join(', ')}`)
  const unknown = numbers.filter((number) => !levelOne.includes(number) && !levelTwo.includes(number))
  must(unknown.length === 0, `${unknown.join(', ')}: not a listed requirement`)
}

function hasEvidence({ number, words, kind, tests, pages }: AsvsRow): void {
  must(words.trim() !== '', `${number} says nothing`)
  must(kind !== 'test' || tests.length > 0, `${number} names no test`)
  must(kind !== 'documentation' || pages.length > 0, `${number} names no document`)
  const missing = pages.filter((page) => !hasSection(page))
  must(missing.length === 0, `${number}: there is no section ${missing.join(', ')}`)
}

function hasSection(page: string): boolean {
  const [file = '', anchor] = page.split('#')
  const path = join(root, file)
  if (!existsSync(path)) return false
  const headings = [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
  return headings.some(
    (heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-') === anchor,
  )
}

const ASSERTION = /\b(?:expect|must)\w*(?:\.\w+)?(?:<[^>]*>)?\(/

/** The assertion that the row quotes, or any. */
function asserts(source: string, test: string): boolean {
  const [, , assertion] = partsOf(test)
  return assertion === undefined ? ASSERTION.test(source) : source.includes(assertion)
}

type Tests = ReturnType<typeof testsInTree>

/** As if the title of this test had been changed in the tree, and not in the sheet. */
function renamed(testsOf: Tests, test: string): Tests {
  const [file, title] = partsOf(test)
  return (asked) =>
    asked === file
      ? new Map([...testsOf(asked)].map(([one, source]) => [one === title ? `${one}, always` : one, source]))
      : testsOf(asked)
}
