// Faults of a certificate authority, injected one by one in a whole environment. Checks the
// cause shown to the owner, the delay before the retry, what is stored, and that the domain
// is live in the end. `npm run experiment -- faults` prints the whole table.

import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { faultFigures, faultsOf, runFaults, type FaultFigures } from '../../testbed/experiments/faults/main.ts'
import { complaintsOf } from '../../testbed/experiments/faults/complaints.ts'
import { printTroubles, TROUBLES_FILE } from '../../testbed/experiments/faults/print.ts'
import { rows } from '../../testbed/experiments/faults/rows.ts'
import type { Result } from '../../testbed/experiments/faults/run.ts'
import { printFigures } from '../../testbed/experiments/outcome.ts'
import { cloneDatabase } from '../../testbed/harness/database.ts'

let figures: FaultFigures

beforeAll(async () => {
  const { appUrl } = await cloneDatabase()
  figures = await runFaults(appUrl)
  printFigures(faultFigures(figures))
})

const resultOf = (name: string): Result => {
  const result = figures.results.find(({ row }) => row.name === name)
  if (!result) throw new Error(`there is no result of ${name}`)
  return result
}

describe('the cause is shown, the delay is respected, and the domain becomes live', () => {
  test.each(rows.map(({ says, name }) => [says, name] as const))('%s', (_, name) => {
    expect(complaintsOf(resultOf(name))).toEqual([])
  })
})

test('every stored certificate is valid, and the background work reports no errors', () => {
  const { stored, errors } = figures
  expect(stored.bad).toEqual([])
  expect(stored.count).toBeGreaterThanOrEqual(rows.length)
  expect(errors).toEqual([])
})

test('the generated list of troubles matches the results', () => {
  expect(printTroubles(figures.results)).toBe(readFileSync(TROUBLES_FILE, 'utf8'))
})

describe('the comparison (negative control)', () => {
  test('fails if a fault was not injected', () => {
    expect(complaintsOf(figures.control)).toContain('nothing was shown in place of ca.rate_limited_failures')
  })

  test('fails for every row if another cause was shown', () => {
    for (const result of figures.results) {
      const code = result.row.code === 'ca.tls' ? 'ca.dns' : 'ca.tls'
      expect(complaintsOf({ ...result, row: { ...result.row, code } })).not.toEqual([])
    }
  })

  test('fails if the retry was too early or too late, or another time was shown', () => {
    const result = resultOf('failures-seconds')
    const requestedMs = result.row.askedMs ?? 0
    for (const waitedMs of [null, 0, requestedMs - 1, Math.ceil(1.1 * requestedMs) + 1]) {
      expect(complaintsOf({ ...result, waitedMs })).toHaveLength(1)
    }
    expect(complaintsOf({ ...result, untilMs: 2 * requestedMs })).toHaveLength(1)
  })

  test('fails if a certificate was stored with the key of another name', () => {
    expect(figures.stored.badIfSwapped).toBe(figures.stored.count)
    const stored = { ...figures.stored, bad: ['The key of a name does not open.'] }
    expect(faultsOf({ ...figures, stored })).toContain('The key of a name does not open.')
  })
})
