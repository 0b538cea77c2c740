// Fuzz tests: the real service in a separate process, requests generated from its OpenAPI
// documents, and every response checked against them. FUZZ_REQUESTS sets the number of
// requests (30,000 if unset), FUZZ_PLATFORM_REQUESTS the number at `/platform/v1` (20,000 if
// unset), and FUZZ_SEED repeats a run.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { RefusalCode } from '@petstore/contract/errors'
import { platformOperations } from '@petstore/contract/platform/operations'
import { expect, test } from 'vitest'
import type { ControlReport } from '../testbed/experiments/fuzz/negative-control.ts'
import type { PlatformReport } from '../testbed/experiments/fuzz/platform-run.ts'
import type { FuzzReport } from '../testbed/experiments/fuzz/findings.ts'

const REQUESTS = Number(process.env['FUZZ_REQUESTS'] || 30_000)
const PLATFORM_REQUESTS = Number(process.env['FUZZ_PLATFORM_REQUESTS'] || 20_000)
const SEED = process.env['FUZZ_SEED']

/** Every code of `/v1` but those that need time, a narrow key, a full quota, an outage or the year 2030. */
const withinReach: RefusalCode[] = [
  'body_too_large',
  'expectation_failed',
  'headers_too_large',
  'idempotency_key_in_use',
  'idempotency_key_reused',
  'invalid_api_key',
  'invalid_cursor',
  'invalid_field',
  'invalid_idempotency_key',
  'invalid_json',
  'invalid_parameter',
  'malformed_request',
  'method_not_allowed',
  'method_not_implemented',
  'missing_api_key',
  'missing_body',
  'missing_field',
  'not_acceptable',
  'not_found',
  'unknown_field',
  'unknown_parameter',
  'unsupported_media_type',
  'uri_too_long',
]

async function run(...flags: string[]): Promise<unknown> {
  const script = join(import.meta.dirname, '../testbed/experiments/fuzz/main.ts')
  const seed = SEED ? ['--seed', SEED] : []
  // A run with findings exits with 1 and still prints them.
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--json', ...seed, ...flags], {
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: Error & { stdout: string }) => {
    if (error.stdout) return error
    throw error
  })
  return JSON.parse(stdout) as unknown
}

function expectNoFindings({ findings, requests, serverErrors, mismatches, late, foretold }: FuzzReport, sent: number) {
  expect(findings).toEqual([])
  expect({ requests, serverErrors, mismatches, late }).toEqual({
    requests: sent,
    serverErrors: 0,
    mismatches: 0,
    late: 0,
  })
  expect(foretold).toBeGreaterThan(sent / 2)
}

test(`${REQUESTS} valid, invalid and hostile requests cause no 5xx and no response that violates the OpenAPI document`, async () => {
  const report = (await run('--requests', String(REQUESTS))) as FuzzReport
  const { requests, perSecond, foretold, serverErrors, mismatches, framingFaults, late, slowestMs, seed } = report
  process.stdout.write(
    `fuzz: ${requests} requests (${perSecond}/s, ${foretold} foretold), ${serverErrors} × 5xx, ${mismatches} mismatches, ${framingFaults} framing faults, ${late} late, slowest ${Math.round(slowestMs)} ms, seed ${seed}\n`,
  )
  expectNoFindings(report, REQUESTS)
  // Some 4 in 100, whatever the seed.
  expect(framingFaults).toBeGreaterThan(requests / 50)
  if (REQUESTS >= 20_000) {
    expect(Object.keys(report.byCode).sort()).toEqual(withinReach)
  }
}, 900_000)

test(`${PLATFORM_REQUESTS} requests at /platform/v1, by owner, viewer, stranger, token and anonymous, cause no 5xx and no response that violates the OpenAPI document`, async () => {
  const report = (await run('--platform', String(PLATFORM_REQUESTS))) as PlatformReport
  const { requests, perSecond, foretold, serverErrors, mismatches, casts, late, slowestMs, seed } = report
  process.stdout.write(
    `fuzz of the platform: ${requests} requests (${perSecond}/s, ${foretold} foretold, ${casts} casts), ${serverErrors} × 5xx, ${mismatches} mismatches, ${late} late, slowest ${Math.round(slowestMs)} ms, seed ${seed}\n`,
  )
  expectNoFindings(report, PLATFORM_REQUESTS)
  // Enough requests must pass validation and succeed.
  expect(report.byStatus['200']).toBeGreaterThan(requests / 20)
  if (PLATFORM_REQUESTS >= 2_000) {
    const fired = Object.keys(report.byOperation)
    expect(platformOperations.map(({ operationId }) => operationId).filter((one) => !fired.includes(one))).toEqual([])
  }
}, 900_000)

test('the fuzz test reports every way in which a server can be broken (negative control)', async () => {
  const { control } = (await run('--control')) as { control: ControlReport }
  expect(control.map(({ kind }) => kind).sort()).toEqual([
    '5xx',
    'body',
    'content-type',
    'echo',
    'header',
    'late',
    'late',
    'no answer',
    'prediction',
    'status',
    'status-field',
  ])
  expect(control.filter(({ found }) => found === 0)).toEqual([])
})

test('the fuzz test of /platform/v1 reports every way in which a server can be broken (negative control)', async () => {
  const { control } = (await run('--control', '--platform', '1')) as { control: ControlReport }
  expect(control.map(({ kind }) => kind).sort()).toEqual([
    '5xx',
    'body',
    'content-type',
    'header',
    'late',
    'late',
    'no answer',
    'prediction',
    'status',
    'status-field',
  ])
  expect(control.filter(({ found }) => found === 0)).toEqual([])
})
