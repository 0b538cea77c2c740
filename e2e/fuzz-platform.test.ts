// Fuzz test of `/platform/v1`, as fuzz.test.ts does it for `/v1`. FUZZ_PLATFORM_REQUESTS sets the number of requests.

import { platformOperations } from '@petstore-platform/contract/platform/operations'
import { expect, test } from 'vitest'
import type { PlatformReport } from '../testbed/experiments/fuzz/platform-run.ts'
import { brokenWays, expectControlsToFail, expectNoFindings, runFuzz } from './fuzz-run.ts'

const PLATFORM_REQUESTS = Number(process.env['FUZZ_PLATFORM_REQUESTS'] || 2000)

test(`${PLATFORM_REQUESTS} requests at /platform/v1, by owner, viewer, stranger, token and anonymous, cause no 5xx and no response that violates the OpenAPI document`, async () => {
  const report = (await runFuzz('--platform', String(PLATFORM_REQUESTS))) as PlatformReport
  const { requests, perSecond, foretold, serverErrors, mismatches, casts, late, slowestMs, seed } = report
  process.stdout.write(
    `fuzz of the platform: ${requests} requests (${perSecond}/s, ${foretold} foretold, ${casts} casts), ${serverErrors} × 5xx, ${mismatches} mismatches, ${late} late, slowest ${Math.round(slowestMs)} ms, seed ${seed}\n`,
  )
  expectNoFindings(report, PLATFORM_REQUESTS)
  // Enough requests must pass validation and succeed.
  expect(report.byStatus['200']).toBeGreaterThan(requests / 20)
  const fired = Object.keys(report.byOperation)
  expect(platformOperations.map(({ operationId }) => operationId).filter((one) => !fired.includes(one))).toEqual([])
}, 900_000)

test('the fuzz test of /platform/v1 reports every way in which a server can be broken (negative control)', async () => {
  expectControlsToFail(await runFuzz('--control', '--platform', '1'), brokenWays)
})
