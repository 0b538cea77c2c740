// Fuzz test of `/v1`: the real service in a separate process, requests generated from its OpenAPI
// document, and every response checked against it. FUZZ_REQUESTS sets the number of requests, which are then others
// each time; fuzz-platform.test.ts sends 2,000 to `/platform/v1`.

import type { RefusalCode } from '@petstore-platform/contract/errors'
import { expect, test } from 'vitest'
import type { FuzzReport } from '../testbed/experiments/fuzz/findings.ts'
import { brokenWays, expectControlsToFail, expectNoFindings, runFuzz } from './fuzz-run.ts'

const REQUESTS = Number(process.env['FUZZ_REQUESTS'] || 4000)

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

/** Two requests with one key must meet, which few of them do. */
const byChance = REQUESTS >= 20_000 ? [] : ['idempotency_key_in_use']

test(`${REQUESTS} valid, invalid and hostile requests cause no 5xx and no response that violates the OpenAPI document`, async () => {
  const report = (await runFuzz('--requests', String(REQUESTS))) as FuzzReport
  const { requests, perSecond, foretold, serverErrors, mismatches, framingFaults, late, slowestMs, seed } = report
  process.stdout.write(
    `fuzz: ${requests} requests (${perSecond}/s, ${foretold} foretold), ${serverErrors} × 5xx, ${mismatches} mismatches, ${framingFaults} framing faults, ${late} late, slowest ${Math.round(slowestMs)} ms, seed ${seed}\n`,
  )
  expectNoFindings(report, REQUESTS)
  // Some 4 in 100, whatever the seed.
  expect(framingFaults).toBeGreaterThan(requests / 50)
  if (REQUESTS >= 4000) {
    expect([...new Set([...Object.keys(report.byCode), ...byChance])].sort()).toEqual(withinReach)
  }
}, 900_000)

test('the fuzz test reports every way in which a server can be broken (negative control)', async () => {
  expectControlsToFail(await runFuzz('--control'), [...brokenWays, 'echo'])
})
