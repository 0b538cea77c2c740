// The evaluation of test runs with retries.

import { describe, expect, test } from 'vitest'
import {
  crashed,
  filesToRepeat,
  runOf,
  summed,
  combined,
  verdictOf,
  type Run,
  type Status,
  type Test,
} from './flaky-tests.ts'

const one = (name: string, status: Status, file = 'a.test.ts', message = status === 'failed' ? 'why' : ''): Test => ({
  file,
  name,
  status,
  message,
})
const run = (tests: readonly Test[], broken: Run['broken'] = []): Run => ({ tests, broken, crash: undefined })
const failing = (count: number, fileOf = (_: number) => 'a.test.ts') =>
  run(Array.from({ length: count }, (_, index) => one(`test ${index}`, 'failed', fileOf(index))))

describe('a run without failures', () => {
  const good = run([one('x', 'passed'), one('y', 'passed')])

  test('repeats nothing and passes', () => {
    expect(filesToRepeat(good)).toEqual([])
    expect(verdictOf(good)).toEqual({ passed: 2, failures: [], flaky: [] })
  })
})

describe('a test that failed', () => {
  const first = run([one('x', 'passed'), one('y', 'failed', 'a.test.ts', 'too late'), one('z', 'passed', 'b.test.ts')])

  test('is tried once more with its file, and no other file is', () => {
    expect(filesToRepeat(first)).toEqual(['a.test.ts'])
  })

  test('and then passed counts as passed and is named, with the message of its first failure', () => {
    const second = run([one('x', 'passed'), one('y', 'passed')])
    expect(verdictOf(first, second)).toEqual({
      passed: 3,
      failures: [],
      flaky: [{ file: 'a.test.ts', name: 'a.test.ts > y', message: 'too late' }],
    })
  })

  test('and then failed again has failed', () => {
    const second = run([one('x', 'passed'), one('y', 'failed')])
    expect(verdictOf(first, second)).toMatchObject({ passed: 2, failures: [{ name: 'a.test.ts > y' }], flaky: [] })
  })

  test.each(['skipped', undefined] as const)('and then was %s has failed', (status) => {
    const second = run([one('x', 'passed'), ...(status ? [one('y', status)] : [])])
    expect(verdictOf(first, second).failures).toHaveLength(1)
  })

  test('is not excused by a test of the same name elsewhere', () => {
    expect(verdictOf(first, run([one('y', 'passed', 'b.test.ts')])).failures).toHaveLength(1)
  })

  test('is not excused by one of two tests with its name', () => {
    const second = run([one('y', 'passed'), one('y', 'failed')])
    expect(verdictOf(first, second).failures).toHaveLength(1)
  })

  test('has failed if nothing was retried', () => {
    expect(verdictOf(first)).toMatchObject({ passed: 2, failures: [{ message: '(failed) too late' }], flaky: [] })
  })

  test('may show that its neighbour, which had passed, is flaky too', () => {
    const verdict = verdictOf(first, run([one('x', 'failed'), one('y', 'passed')]))
    expect(verdict).toMatchObject({ passed: 3, failures: [] })
    expect(verdict.flaky.map(({ name }) => name)).toEqual(['a.test.ts > y', 'a.test.ts > x'])
  })
})

describe('where much has failed', () => {
  test.each([
    ['8 tests in one file', failing(8), 1],
    ['9 tests in one file', failing(9), 0],
    ['4 files', failing(4, (index) => `${index}.test.ts`), 4],
    ['5 files', failing(5, (index) => `${index}.test.ts`), 0],
    ['7 tests and 2 files as a whole', combined([failing(7), run([], brokenFiles('b', 'c'))]), 0],
  ])('%s: %3$d files are tried again', (_, first, files) => {
    expect(filesToRepeat(first)).toHaveLength(files)
  })
})

describe('a file that failed outside of its tests', () => {
  const first = run([one('x', 'skipped'), one('y', 'skipped')], brokenFiles('a.test.ts'))

  test('is one failure, however many tests it has, and is tried once more', () => {
    const many = run(failing(20).tests.map(skipped), brokenFiles('a.test.ts'))
    expect(filesToRepeat(many)).toEqual(['a.test.ts'])
  })

  test('and then passed is named once, as a whole', () => {
    expect(verdictOf(first, run([one('x', 'passed'), one('y', 'passed')]))).toEqual({
      passed: 2,
      failures: [],
      flaky: [{ file: 'a.test.ts', name: 'a.test.ts > the file as a whole', message: 'a hook timed out' }],
    })
  })

  test('and then failed again has failed with all its tests', () => {
    expect(verdictOf(first, first)).toMatchObject({ passed: 0, flaky: [] })
    expect(verdictOf(first, first).failures).toHaveLength(3)
  })

  test('and then was not there at all has failed', () => {
    expect(verdictOf(run([], brokenFiles('a.test.ts')), run([])).failures).toHaveLength(1)
  })
})

describe('what is no failure of a test', () => {
  test('a crash is a failure at once, even together with failed tests', () => {
    expect(filesToRepeat({ ...failing(1), crash: 'vitest ended with 1' })).toEqual([])
    expect(verdictOf(crashed('vitest ended with 1'))).toMatchObject({ passed: 0, failures: [{ name: 'the tests' }] })
  })

  test('a crash of the second run fails the first', () => {
    const second = combined([run([one('test 0', 'passed')]), crashed('no results')])
    expect(verdictOf(failing(1), second).failures).toEqual([{ name: 'the tests', message: 'no results' }])
  })

  test('a test that is always skipped has failed, and is not tried again', () => {
    const first = run([one('x', 'skipped')])
    expect(filesToRepeat(first)).toEqual([])
    expect(verdictOf(first).failures).toHaveLength(1)
  })
})

describe('all runs together', () => {
  const flaky = (...files: string[]) => ({
    passed: 10,
    failures: [],
    flaky: files.map((file) => ({ file, name: `${file} > x`, message: '' })),
  })

  test('pass with flaky tests in three files, however many', () => {
    const sum = summed([flaky('a'), flaky('b', 'c', 'c', 'c')])
    expect(sum).toMatchObject({ passed: 20, failures: [] })
    expect(sum.flaky).toHaveLength(5)
  })

  test('fail with flaky tests in four files', () => {
    expect(summed([flaky('a', 'b'), flaky('c', 'd')]).failures).toMatchObject([{ message: /^4 files/ }])
  })
})

describe('steps that follow a failed one', () => {
  const first = run([one('x', 'passed'), one('y', 'failed'), ...failing(20).tests.map(skipped)])

  test('are skipped, and the one failure is retried', () => {
    expect(filesToRepeat(first)).toEqual(['a.test.ts'])
    const second = run(first.tests.map(({ name }) => one(name, 'passed')))
    expect(verdictOf(first, second)).toMatchObject({ passed: 22, failures: [], flaky: [{ name: 'a.test.ts > y' }] })
  })

  test('have failed if they are skipped again', () => {
    expect(verdictOf(first, first).failures).toHaveLength(21)
  })
})

describe("Vitest's results", () => {
  const fileOf = (path: string) => path.replace('/root/', '')
  const results = (status: string, message: string, ...tests: [status: string, fullName: string, why?: string][]) => ({
    testResults: [
      {
        name: '/root/a.test.ts',
        status,
        message,
        assertionResults: tests.map(([state, fullName, why]) => ({
          status: state,
          fullName,
          failureMessages: why === undefined ? [] : [why],
        })),
      },
    ],
  })

  test('are read with the file relative and the message whole', () => {
    expect(runOf(results('failed', '', ['passed', 'x'], ['failed', 'y', 'why']), 1, fileOf)).toEqual(
      run([one('x', 'passed'), one('y', 'failed')]),
    )
  })

  test('name a file that failed without a failed test, and tests that did not run as skipped', () => {
    const read = runOf(results('failed', 'a hook timed out', ['pending', 'x'], ['todo', 'y']), 1, fileOf)
    expect(read).toEqual(run([one('x', 'skipped'), one('y', 'skipped')], brokenFiles('a.test.ts')))
  })

  test('of a run that failed without a reason of theirs are a crash', () => {
    expect(runOf(results('passed', '', ['passed', 'x']), 1, fileOf).crash).toBe('vitest ended with 1')
    expect(runOf(results('passed', '', ['passed', 'x']), 0, fileOf).crash).toBeUndefined()
  })
})

function skipped(test: Test): Test {
  return { ...test, status: 'skipped' }
}

function brokenFiles(...files: string[]): Run['broken'] {
  return files.map((file) => ({ file, message: 'a hook timed out' }))
}
