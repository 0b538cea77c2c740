// A run of the fuzz experiment in a separate process, and what both fuzz tests expect of its report.
// FUZZ_SEED repeats a run.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import type { FuzzReport } from '../testbed/experiments/fuzz/findings.ts'
import type { ControlReport } from '../testbed/experiments/fuzz/negative-control.ts'
import { childEnv } from '../testbed/harness/child-env.ts'

/** The usual sizes always send the same requests, so that no change meets the fault of another one. */
const isUsual = !process.env['FUZZ_REQUESTS'] && !process.env['FUZZ_PLATFORM_REQUESTS']
const SEED = process.env['FUZZ_SEED'] ?? (isUsual ? '1' : undefined)

export async function runFuzz(...flags: string[]): Promise<unknown> {
  const script = join(import.meta.dirname, '../testbed/experiments/fuzz/main.ts')
  const seed = SEED ? ['--seed', SEED] : []
  // A run with findings exits with 1 and still prints them.
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--json', ...seed, ...flags], {
    env: childEnv,
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: Error & { stdout: string }) => {
    if (error.stdout) return error
    throw error
  })
  return JSON.parse(stdout) as unknown
}

export function expectNoFindings(
  { findings, requests, serverErrors, mismatches, late, foretold }: FuzzReport,
  sent: number,
) {
  expect(findings).toEqual([])
  expect({ requests, serverErrors, mismatches, late }).toEqual({
    requests: sent,
    serverErrors: 0,
    mismatches: 0,
    late: 0,
  })
  expect(foretold).toBeGreaterThan(sent / 2)
}

/** The ways in which the servers of the negative control are broken; two of them are late. */
export const brokenWays = [
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
]

/** Every broken server was found out. */
export function expectControlsToFail(report: unknown, ways: readonly string[]): void {
  const { control } = report as { control: ControlReport }
  expect(control.map(({ kind }) => kind).sort()).toEqual(ways.toSorted())
  expect(control.filter(({ found }) => found === 0)).toEqual([])
}
