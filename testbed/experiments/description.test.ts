// Rules for descriptions: every experiment has one, its program parses its options by it, and
// the size in CI that it names is the one in the file that runs it. Each rule has a negative
// control.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { describedExperiments, experimentNames, folder } from './catalogue.ts'
import { listOf, nearestTo, usageOf, type About, type Described } from './description.ts'
import { safetyNames } from '../safety/lines.ts'

const root = join(folder, '../..')
const described = describedExperiments()

const readOrNothing = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

const figures = (text: string): string[] => text.replaceAll(/(?<=\d)[,_](?=\d{3})/g, '').match(/\b\d+\b/g) ?? []

/** One sentence per rule that a description breaks. */
function problemsOf({ name, about }: Described, { program, runner }: { program: string; runner: string }): string[] {
  const { head, proves, inCi, options } = about
  const isMentioned = runner.includes(`experiments/${name}/`) || runner.includes(`main.ts ${name}`)
  const isRunBy =
    inCi === null || isMentioned || runner.includes(`experiment -- ${name}`) || inCi.by.includes(`experiments/${name}/`)
  const missing = figures(inCi?.size ?? '').filter((figure) => !figures(runner).includes(figure))
  return [
    ...(head !== '' && !head.endsWith('.') && !head.includes('\n') ? [] : ['its head is not one line']),
    ...(proves.endsWith('.') ? [] : ['what it proves is no sentence']),
    ...(isRunBy ? [] : [`${inCi?.by} does not run it`]),
    ...missing.map((figure) => `${inCi?.by} has no ${figure}`),
    ...('json' in options ? [] : ['it has no --json']),
    ...(program.includes(`readFlags('${name}')`) && !program.includes('parseArgs') ? [] : ['it reads other options']),
  ]
}

const filesIn = (by = '') => by.split(', ').filter((file) => file !== '')

const filesOf = ({ name, about }: Described) => ({
  program: readOrNothing(join(folder, name, 'main.ts')),
  runner: filesIn(about.inCi?.by)
    .map((file) => readOrNothing(join(root, file)))
    .join('\n'),
})

test.each(described.map((one) => [one.name, one] as const))('%s has a correct description', (_, one) => {
  expect(problemsOf(one, filesOf(one))).toEqual([])
  expect(parseArgs({ args: [], options: one.about.options }).values).toBeDefined()
})

test('a folder without a description is reported (negative control)', () => {
  const made = mkdtempSync(join(tmpdir(), 'experiments-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  mkdirSync(join(made, 'silent'))
  writeFileSync(join(made, 'silent', 'main.ts'), '')
  expect(experimentNames(made)).toEqual(['silent'])
  expect(() => describedExperiments(made)).toThrow('The experiment silent has no description (experiments.ts)')
})

const good: Described = {
  name: 'names',
  about: {
    head: 'Something small',
    proves: 'It holds.',
    inCi: { by: 'e2e/good.test.ts', size: '2,000 steps' },
    options: {
      steps: { type: 'string', value: 'N', default: '9', help: 'steps' },
      json: { type: 'boolean', default: false, help: 'JSON' },
    },
  },
}
const files = { program: "readFlags('names')", runner: "from '../testbed/experiments/names/main.ts'\nwalk(2_000)" }

test.each<[string, Partial<About>, Partial<typeof files>]>([
  ['its head is not one line', { head: 'Something.' }, {}],
  ['what it proves is no sentence', { proves: '' }, {}],
  ['it has no --json', { options: {} }, {}],
  ['it reads other options', {}, { program: 'parseArgs({ options })' }],
  ['e2e/good.test.ts does not run it', {}, { runner: 'walk(2000)' }],
  ['e2e/good.test.ts has no 2000', {}, { runner: "from '../testbed/experiments/names/main.ts'\nwalk(20_000)" }],
])('a description with the fault that %s is reported (negative control)', (problem, about, changed) => {
  expect(problemsOf(good, files)).toEqual([])
  expect(problemsOf({ ...good, about: { ...good.about, ...about } }, { ...files, ...changed })).toContain(problem)
})

test('the list contains every experiment, and the help every option with its default', () => {
  const list = listOf(described)
  for (const { name, about } of described) expect(list).toContain(`${name}\n  ${about.head}.\n`)
  expect(usageOf(good)).toBe(`npm run experiment -- names [options]

Something small.

Proves: It holds.
In CI:  2,000 steps (e2e/good.test.ts)

  --steps N  steps (default 9)
  --json     JSON`)
})

test('an unknown name leads to suggestions of the most similar ones', () => {
  const names = experimentNames()
  expect(nearestTo('golive', names)).toEqual(['go-live'])
  expect(nearestTo('model', names)).toEqual(['ownership-model'])
  expect(nearestTo('import-measure', names)).toEqual(['import'])
  expect(nearestTo('sweper', names)).toEqual(['sweeper'])
  expect(nearestTo('verify', names)).toEqual(['verify-race', 'verify-times'])
  expect(nearestTo('zzzzzz', names)).toEqual(names)
})

const safety = join(root, 'testbed/safety/lines')
const SIZES = /^ {2}sizes: \{[^}]*\},$/m

/** Figures of the sizes that neither the file of a line has nor one that it imports from its suite. */
function unknownSizes(sizes: string, source: string): string[] {
  const imported = [...source.matchAll(/from '(\.\.\/[\w-]+\.ts)'/g)].map(([, path = '']) =>
    readOrNothing(join(safety, path)),
  )
  const known = new Set([source.replace(sizes, ''), ...imported].flatMap(figures))
  return figures(sizes).filter((figure) => !known.has(figure))
}

// Read and not imported: the lines have the whole program behind them.
test('the sizes of a line of the safety suite are those of its source', () => {
  for (const name of safetyNames()) {
    const source = readOrNothing(join(safety, `${name}.ts`))
    const [sizes = ''] = SIZES.exec(source) ?? []
    expect([name, sizes === '', unknownSizes(sizes, source)]).toEqual([name, false, []])
  }
  const tabs = "  sizes: { small: '7 tabs', large: '12 tabs' },\n"
  expect(unknownSizes(tabs, `${tabs}const tabs = 7`)).toEqual(['12'])
})
