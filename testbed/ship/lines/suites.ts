// What tests of the repository show, at full size: renewals of the wildcard certificate, and the id of a request in every log.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../tools/release/run.ts'
import type { Figures } from '../../experiments/claims.ts'
import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { none, noticed, type ShipLine } from '../line.ts'
import { renewalFault, renewUnderHandshakes, type Renewed } from '../wildcard-renewal.ts'
import type { Workshop } from '../workshop.ts'

const repository = join(import.meta.dirname, '../../..')
const REQUESTS = 1000

type Report = {
  testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[]
}
type Test = { isControl: boolean; fault: string | undefined }

/** Run once, although the line and its control both need it. */
let tests: readonly Test[] | undefined

function requestTests(workshop: Workshop): readonly Test[] {
  // The report comes also if a test failed, and says which.
  const report = join(workshop.newFolder('report'), 'report.json')
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'e2e', 'e2e/start.test.ts']
  const command = [...vitest, '--reporter=json', `--outputFile=${report}`]
  run('sh', ['-c', '"$@" || true', 'sh', process.execPath, ...command], {
    cwd: repository,
    env: { ...process.env, REQUESTS: String(REQUESTS) },
  })
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ fullName, status, failureMessages }) => ({
      isControl: fullName.endsWith('(negative control)'),
      fault: status === 'passed' ? undefined : `${fullName}: ${failureMessages[0] ?? status}`,
    })),
  )
}

function passed(workshop: Workshop, isControl: boolean): Figures {
  tests ??= requestTests(workshop)
  const wanted = tests.filter((test) => test.isControl === isControl)
  if (wanted.length === 0) throw new Error('There is no such test.')
  none(
    'tests failed',
    wanted.flatMap(({ fault }) => fault ?? []),
  )
  return { tests: wanted.length }
}

export const requestIds: ShipLine = {
  name: 'request-ids',
  title: `of ${REQUESTS.toLocaleString('en')} requests each has one id in the logs of Caddy, edge, control plane and serve; forged ones never`,
  run: async (workshop) => passed(workshop, false),
  control: {
    title: 'a Caddy that does not delete the header is found',
    run: async (workshop) => passed(workshop, true),
  },
}

const RENEWALS = 3
const HANDSHAKES = 5000

async function renewed({ restarts }: { restarts: boolean }): Promise<Renewed> {
  await using postgres = await startTemporaryPostgres()
  const { appUrl } = await postgres.createDatabase()
  const measured = await renewUnderHandshakes(appUrl, { renewals: RENEWALS, handshakes: HANDSHAKES, restarts })
  const fault = renewalFault(measured, RENEWALS)
  if (fault !== undefined) throw new Error(fault)
  return measured
}

export const renewals: ShipLine = {
  name: 'renewals',
  title: `${RENEWALS} renewals of the wildcard by RFC 2136 fail no handshake of ${HANDSHAKES}; a wrong key is reported`,
  async run() {
    const { handshakes, failed, serials, wrongKey } = await renewed({ restarts: false })
    return { handshakes, failed, certificates: serials.length, 'wrong key reported after ms': wrongKey.reportedMs }
  },
  control: {
    title: 'with a restart of Caddy for each certificate some fail',
    run: async () => ({ noticed: await noticed(() => renewed({ restarts: true }), /\d+ of \d+ handshakes failed/) }),
  },
}
