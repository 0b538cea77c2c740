// The whole of CI after the installation: the quick checks, then every test on
// a real PostgreSQL and in a real browser. Ends with one line, `N passed, N
// failed`, that counts checks and tests together.

import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { report, runStep, say } from './steps.ts'

const startedAt = performance.now()
let passed = 0
let failed = 0
const count = (ok: boolean) => (ok ? (passed += 1) : (failed += 1))

const check = await runStep({ name: 'npm run check', command: 'node tools/check.ts' })
say(check.output)
const [, checksPassed = '0', checksFailed = '1'] = /(\d+) passed, (\d+) failed\s*$/.exec(check.output) ?? []
passed += Number(checksPassed)
failed += Number(checksFailed)

const schema = await runStep({ name: 'schema.sql is the printed one', command: 'node tools/print-schema.ts --check' })
report(schema)
count(schema.passed)

const oldest = await runStep({
  name: 'pure tests on the oldest supported Node',
  command: 'PATH="$PWD/.tools/oldest/node_modules/.bin:$PATH" npx --no vitest run --project pure',
})
report(oldest)
count(oldest.passed)

const results = join(tmpdir(), `petstore-results-${process.pid}.json`)
for (const project of ['slice', 'e2e']) {
  say(`\n${project} tests`)
  const code = await vitest(project)
  const counted = readResults()
  passed += counted.passed
  // A run that fails without a failed test (a crash, a file that does not load) is a failure too.
  failed += counted.failed === 0 && code !== 0 ? 1 : counted.failed
}

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

function readResults(): { passed: number; failed: number } {
  try {
    const { numPassedTests, numTotalTests } = JSON.parse(readFileSync(results, 'utf8')) as Record<string, number>
    // Whatever did not pass counts as failed: a test that was skipped proved nothing.
    return { passed: numPassedTests ?? 0, failed: (numTotalTests ?? 0) - (numPassedTests ?? 0) }
  } catch {
    return { passed: 0, failed: 1 }
  } finally {
    rmSync(results, { force: true })
  }
}
