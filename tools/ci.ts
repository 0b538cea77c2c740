// The whole of CI after the installation: the quick checks, then every test on
// a real PostgreSQL and in a real browser. Ends with what failed, if anything,
// and one line, `N passed, N failed`, that counts checks and tests together.

import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { spawn } from 'node:child_process'
import { report, runStep, say, type Outcome, type Step } from './steps.ts'

const startedAt = performance.now()
let passed = 0
let failed = 0
// Told again at the end: of a long run people often keep only the tail.
const failures: string[] = []
const count = ({ name, passed: ok, output }: Outcome) => {
  if (ok) passed += 1
  else {
    failed += 1
    failures.push(`${name}\n${output.trimEnd()}`)
  }
}

const check = await runStep({ name: 'npm run check', command: 'node tools/check.ts' })
say(check.output)
const [, checksPassed = '0', checksFailed = '1'] = /(\d+) passed, (\d+) failed\s*$/.exec(check.output) ?? []
passed += Number(checksPassed)
failed += Number(checksFailed)
if (!check.passed) failures.push(`${check.name}\n${check.output.trimEnd()}`)

const steps: readonly Step[] = [
  { name: 'schema.sql is the printed one', command: 'node tools/print-schema.ts --check' },
  {
    name: 'pure tests on the oldest supported Node',
    command: 'PATH="$PWD/.tools/oldest/node_modules/.bin:$PATH" npx --no vitest run --project pure',
  },
  { name: 'the model of ownership holds, and its seeded bugs are found', command: 'node tools/model.ts' },
  {
    name: '100,000 fuzzed hostnames, none of them accepted wrongly',
    command: 'node tools/names-fuzz.ts --count 100000',
  },
]
for (const step of steps) {
  const outcome = await runStep(step)
  report(outcome)
  count(outcome)
}

const results = join(tmpdir(), `petstore-results-${process.pid}.json`)
for (const project of ['slice', 'e2e']) {
  say(`\n${project} tests`)
  const code = await vitest(project)
  const counted = readResults()
  passed += counted.passed
  // A run that fails without a failed test (a crash, a file that does not load) is a failure too.
  const crashed = counted.failed === 0 && code !== 0
  failed += crashed ? 1 : counted.failed
  failures.push(...counted.failures, ...(crashed ? [`${project} tests: vitest ended with ${code}`] : []))
}

for (const failure of failures) say(`\nFAILED ${failure}`)

say(`\nCI took ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
say(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function vitest(project: string): Promise<number | null> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
  const child = spawn('npx', ['--no', 'vitest', 'run', '--project', project, ...reporters], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return new Promise((resolve) => child.on('close', resolve))
}

type Results = {
  numPassedTests: number
  numTotalTests: number
  testResults: {
    name: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

function readResults(): { passed: number; failed: number; failures: string[] } {
  try {
    const { numPassedTests, numTotalTests, testResults } = JSON.parse(readFileSync(results, 'utf8')) as Results
    const failures = testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status !== 'passed')
        .map(
          (test) => `${relative('.', name)} > ${test.fullName} (${test.status})\n${test.failureMessages.join('\n')}`,
        ),
    )
    // Whatever did not pass counts as failed: a test that was skipped proved nothing.
    return { passed: numPassedTests, failed: numTotalTests - numPassedTests, failures }
  } catch (error) {
    return { passed: 0, failed: 1, failures: [`no results of the tests: ${String(error)}`] }
  } finally {
    rmSync(results, { force: true })
  }
}
