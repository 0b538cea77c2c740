// Lines 2, 3, 13 and 18, which an experiment and tests of the repository show: at full size here, smaller in CI.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../tools/release/run.ts'
import { none, noticed, type Figures, type ShipLine } from '../line.ts'
import type { Workshop } from '../workshop.ts'

const repository = join(import.meta.dirname, '../../..')

type Report = {
  testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[]
}
type Test = { name: string; isControl: boolean; fault: string | undefined }

/** Each file once, although a line and its control both need it. */
const reports = new Map<string, readonly Test[]>()

function testsOf(workshop: Workshop, suites: readonly Suite[]): readonly Test[] {
  return suites.flatMap(({ project, file, env = {} }) => {
    const known = reports.get(file)
    if (known) return known
    // The report comes also if a test failed, and says which.
    const report = join(workshop.newFolder('report'), 'report.json')
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', project, file]
    const command = [...vitest, '--reporter=json', `--outputFile=${report}`]
    run('sh', ['-c', '"$@" || true', 'sh', process.execPath, ...command], {
      cwd: repository,
      env: { ...process.env, ...env },
    })
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
    const tests = testResults.flatMap(({ assertionResults }) =>
      assertionResults.map(({ fullName, status, failureMessages }) => ({
        name: fullName,
        isControl: fullName.endsWith('(negative control)'),
        fault: status === 'passed' ? undefined : `${fullName}: ${failureMessages[0] ?? status}`,
      })),
    )
    reports.set(file, tests)
    return tests
  })
}

type Suite = { project: string; file: string; env?: Readonly<Record<string, string>> }

function shown(workshop: Workshop, suites: readonly Suite[], isControl: boolean): Figures {
  const tests = testsOf(workshop, suites).filter((test) => test.isControl === isControl)
  if (tests.length === 0) throw new Error('There is no such test.')
  none(
    'tests failed',
    tests.flatMap(({ fault }) => fault ?? []),
  )
  return { tests: tests.length }
}

const lineOf = (line: number, title: string, control: string, ...suites: readonly Suite[]): ShipLine => ({
  line,
  title,
  run: async (workshop) => shown(workshop, suites, false),
  control: { title: control, run: async (workshop) => shown(workshop, suites, true) },
})

const RENEWALS = 3
const HANDSHAKES = 5000

type Renewed = { handshakes: number; failed: number; serials: string[]; wrongKey: { reportedMs: number } }

function renewed(...flags: string[]): Renewed {
  const size = ['--renewals', String(RENEWALS), '--handshakes', String(HANDSHAKES)]
  const program = join(repository, 'testbed/experiments/main.ts')
  const { output } = run(process.execPath, [program, 'wildcard-renewal', ...size, '--json', ...flags])
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Renewed
}

const renewals: ShipLine = {
  line: 2,
  title: `${RENEWALS} renewals of the wildcard by RFC 2136 fail no handshake of ${HANDSHAKES}; a wrong key is reported`,
  async run() {
    const { handshakes, failed, serials, wrongKey } = renewed()
    return { handshakes, failed, certificates: serials.length, 'wrong key reported after ms': wrongKey.reportedMs }
  },
  control: {
    title: 'with a restart of Caddy for each certificate some fail',
    run: async () => ({ noticed: await noticed(() => renewed('--restarts'), /\d+ of \d+ handshakes failed/) }),
  },
}

export const suites: readonly ShipLine[] = [
  renewals,
  lineOf(3, 'an edge that speaks protocol 1 follows 1,000 changes', 'without the filter it rejects the page', {
    project: 'slice',
    file: 'server/test/fleet/protocol.test.ts',
  }),
  lineOf(
    13,
    'of 1,000 requests each has one id in the logs of Caddy, edge, control plane and serve; forged ones never',
    'a Caddy that does not delete the header is found',
    { project: 'e2e', file: 'e2e/start.test.ts', env: { REQUESTS: '1000' } },
  ),
  lineOf(
    18,
    'doctor finds each broken environment, by its number alone, and nothing in a healthy one',
    'every check has a broken environment',
    { project: 'pure', file: 'server/src/operations/doctor/judge.test.ts' },
    { project: 'e2e', file: 'e2e/doctor.test.ts' },
  ),
]
