// The fuzz as a whole: the real service in a process of its own, requests made
// from its document, and every answer checked against it. FUZZ_REQUESTS sets how
// many (50,000 if unset), FUZZ_SEED repeats a run.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { refusals } from '@petstore/contract/errors'
import { expect, test } from 'vitest'
import type { ControlReport } from '../tools/fuzz/control.ts'
import type { FuzzReport } from '../tools/fuzz/run.ts'

const REQUESTS = Number(process.env['FUZZ_REQUESTS'] || 50_000)
const SEED = process.env['FUZZ_SEED']

/** Codes that a fuzz cannot bring about: they need time, a narrow key, a full quota, an outage or the year 2030. */
const outOfReach = [
  'expired_api_key',
  'revoked_api_key',
  'insufficient_scope',
  'request_timeout',
  'operation_removed',
  'rate_limited',
  'internal_error',
  'service_unavailable',
]

async function run(...flags: string[]): Promise<unknown> {
  const script = join(import.meta.dirname, '../tools/fuzz.ts')
  const seed = SEED ? ['--seed', SEED] : []
  // A run with findings ends with 1 and still says what it found.
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--json', ...seed, ...flags], {
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: Error & { stdout: string }) => {
    if (error.stdout) return error
    throw error
  })
  return JSON.parse(stdout) as unknown
}

test(`${REQUESTS} requests, right, wrong and hostile, bring about no 5xx and no answer that is not the document's`, async () => {
  const report = (await run('--requests', String(REQUESTS))) as FuzzReport
  const { requests, perSecond, foretold, serverErrors, mismatches, seed } = report
  process.stdout.write(
    `fuzz: ${requests} requests (${perSecond}/s, ${foretold} foretold), ${serverErrors} × 5xx, ${mismatches} mismatches, seed ${seed}\n`,
  )
  expect(report.findings).toEqual([])
  expect({ requests, serverErrors, mismatches }).toEqual({ requests: REQUESTS, serverErrors: 0, mismatches: 0 })
  expect(foretold).toBeGreaterThan(requests / 2)
  if (REQUESTS >= 20_000) {
    const seen = Object.keys(report.byCode).sort()
    expect(seen).toEqual(
      Object.keys(refusals)
        .filter((code) => !outOfReach.includes(code))
        .sort(),
    )
  }
}, 900_000)

test('the fuzz notices a broken server, in every way a server can be broken', async () => {
  const { control } = (await run('--control')) as { control: ControlReport }
  expect(control.map(({ kind }) => kind).sort()).toEqual([
    '5xx',
    'body',
    'content-type',
    'echo',
    'header',
    'no answer',
    'prediction',
    'status',
    'status-field',
  ])
  expect(control.filter(({ found }) => found === 0)).toEqual([])
})
