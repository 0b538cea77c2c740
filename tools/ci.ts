// The whole of CI after the installation: the quick checks, then every test on
// a real PostgreSQL and in a real browser. Tests that fail are tried once more by
// themselves (flaky-tests.ts). Ends with what was flaky and what failed, if anything,
// and one line, `N passed, N failed`, that counts checks and tests together.
//
//   node tools/ci.ts [--part checks|slice|e2e-1|e2e-2|timing]
//
// The parts together are the whole: for several machines, each of which runs one.

import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import {
  crashed,
  filesToRepeat,
  runOf,
  summed,
  combined,
  verdictOf,
  type Run,
  type Verdict,
  type VitestResults,
} from './flaky-tests.ts'
import { runStep, runSteps, say, type StepOutcome, type Step } from './steps.ts'

const startedAt = performance.now()
const verdicts: Verdict[] = []
const count = ({ name, passed, output }: StepOutcome, checksPassed = passed ? 1 : 0) =>
  verdicts.push({
    passed: checksPassed,
    failures: passed ? [] : [{ name, message: output.trimEnd() }],
    flaky: [],
  })

const results = join(tmpdir(), `petstore-results-${process.pid}.json`)
/** Several checks may have failed in one step, whose output is one failure. */
let moreFailed = 0

const steps: readonly Step[] = [
  { name: 'schema.sql is the generated one', command: 'node tools/generate.ts schema --check' },
  {
    name: 'pure tests on the oldest supported Node',
    // What runs on Node in production: the dashboard runs in browsers, and the others are about the repository.
    command: 'PATH="$PWD/.tools/oldest/node_modules/.bin:$PATH" npx --no vitest run --project pure contract/ server/',
  },
  { name: 'first load of the domains page', command: 'node tools/build.ts dashboard --within-budget' },
  {
    name: 'the model of ownership holds, and its seeded bugs are found',
    command: 'node testbed/experiments/main.ts ownership-model',
  },
  {
    name: '100,000 fuzzed hostnames, none of them accepted wrongly',
    command: 'node testbed/experiments/main.ts names --count 100000 --seed 20261117',
  },
]

const parts: Readonly<Record<string, () => Promise<void>>> = {
  checks,
  slice: () => tests('slice'),
  'e2e-1': () => tests('e2e', '--shard=1/2'),
  'e2e-2': () => tests('e2e', '--shard=2/2'),
  timing: () => tests('timing'),
}
/** In one run, the tests of whole processes are not parted: three files at a time, to the end. */
const everything = [checks, () => tests('slice'), () => tests('e2e'), () => tests('timing')]

const { part } = parseArgs({ options: { part: { type: 'string' } } }).values
if (part !== undefined && !(part in parts)) {
  say(`There is no part '${part}'. There are: ${Object.keys(parts).join(', ')}.`)
  process.exit(2)
}
for (const run of part === undefined ? everything : [parts[part]]) await run?.()

const { passed, failures, flaky } = summed(verdicts)
const failed = failures.length + moreFailed
// Repeated at the end: of a long run people often keep only the tail.
for (const { name, message } of flaky) say(`\nFLAKY ${name}\n${message}`)
for (const { name, message } of failures) say(`\nFAILED ${name}\n${message}`)

say(
  `\n${part === undefined ? 'CI' : `The part ${part} of CI`} took ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
)
say(`${flaky.length} flaky`)
say(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

/** What is quick, then what takes a minute. */
async function checks(): Promise<void> {
  const check = await runStep({ name: 'npm run check', command: 'node tools/check.ts' })
  say(check.output)
  const [, checksPassed = '0', checksFailed = '1'] = /(\d+) passed, (\d+) failed\s*$/.exec(check.output) ?? []
  count({ ...check, passed: check.passed && checksFailed === '0' }, Number(checksPassed))
  moreFailed += Math.max(0, Number(checksFailed) - 1)
  for (const outcome of await runSteps(steps, 2)) count(outcome)
}

/** The tests of a project, and once more those files of it that failed. */
async function tests(project: string, ...options: string[]): Promise<void> {
  say(`\n${project} tests`)
  const first = await vitest(project, ...options)
  const files = filesToRepeat(first)
  const again: Run[] = []
  for (const file of files) {
    say(`\n${file} once more, in isolation`)
    again.push(await vitest(project, file))
  }
  verdicts.push(verdictOf(first, files.length === 0 ? undefined : combined(again)))
}

/** All tests of a project, those of a part of it, or those of one file. */
async function vitest(project: string, ...more: string[]): Promise<Run> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
  const child = spawn('npx', ['--no', 'vitest', 'run', '--project', project, ...reporters, ...more], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  try {
    return runOf(JSON.parse(readFileSync(results, 'utf8')) as VitestResults, code, (path) => relative('.', path))
  } catch (error) {
    return crashed(`no results of the ${project} tests: ${String(error)}`)
  } finally {
    rmSync(results, { force: true })
  }
}
