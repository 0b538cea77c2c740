// Evaluates a test run in which the failed tests were retried once. Pure.
//
// A busy machine can fail a correct test. Such a test is retried in isolation: if it
// passes it counts as passed and is reported as flaky, so that it gets fixed; so is one
// that passed first and fails then. A test that fails twice has failed. If many fail at
// once, nothing is retried: that is not caused by load. And flaky tests in more than a few
// files are a failure of their own.

export type Status = 'passed' | 'failed' | 'skipped'
export type Test = { file: string; name: string; status: Status; message: string }

export type Run = {
  tests: readonly Test[]
  /** Files that failed outside of their tests: in a hook, or already when they were loaded. */
  broken: readonly { file: string; message: string }[]
  /** It failed, and not because of a test or a file. */
  crash: string | undefined
}

export type Reported = { name: string; message: string }
export type Flaky = Reported & { file: string }
export type Verdict = { passed: number; failures: readonly Reported[]; flaky: readonly Flaky[] }

const FILES_REPEATED_MAX = 4
const FAILED_REPEATED_MAX = 8
const FLAKY_FILES_MAX = 3

/** As Vitest's JSON reporter writes it. */
export type VitestResults = {
  testResults: readonly {
    name: string
    status: string
    message: string
    assertionResults: readonly { status: string; fullName: string; failureMessages: readonly string[] }[]
  }[]
}

export function runOf({ testResults }: VitestResults, code: number | null, fileOf: (path: string) => string): Run {
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ status, fullName, failureMessages }) => ({
      file: fileOf(name),
      name: fullName,
      status: statusOf(status),
      message: failureMessages.join('\n'),
    })),
  )
  const broken = testResults
    .filter(({ status, message, assertionResults }) => {
      const hasFailedTest = assertionResults.some((test) => statusOf(test.status) === 'failed')
      return message !== '' || (status === 'failed' && !hasFailedTest)
    })
    .map(({ name, message }) => ({ file: fileOf(name), message }))
  const isExplained = broken.length > 0 || tests.some(({ status }) => status === 'failed')
  return { tests, broken, crash: code === 0 || isExplained ? undefined : `vitest ended with ${code}` }
}

export const crashed = (crash: string): Run => ({ tests: [], broken: [], crash })

/** Several runs, one file each, as one. */
export const combined = (runs: readonly Run[]): Run => ({
  tests: runs.flatMap(({ tests }) => tests),
  broken: runs.flatMap(({ broken }) => broken),
  crash: runs.find(({ crash }) => crash !== undefined)?.crash,
})

/** The files to retry, each in isolation; none if too much has failed. */
export function filesToRepeat({ tests, broken, crash }: Run): string[] {
  const failed = [...tests.filter(({ status }) => status === 'failed'), ...broken]
  const files = [...new Set(failed.map(({ file }) => file))]
  const isTooMuch = files.length > FILES_REPEATED_MAX || failed.length > FAILED_REPEATED_MAX
  return crash !== undefined || isTooMuch ? [] : files
}

/** Everything that did not pass counts as failed: a skipped test proved nothing. */
export function verdictOf(first: Run, second?: Run): Verdict {
  const again = Map.groupBy(second?.tests ?? [], keyOf)
  const brokenAgain = new Set(second?.broken.map(({ file }) => file))
  const wholeAgain = new Set(second?.tests.map(({ file }) => file).filter((file) => !brokenAgain.has(file)))

  // Several tests with one name cannot be distinguished, so all of them have to pass.
  const passesNow = (test: Test) => again.get(keyOf(test))?.every(({ status }) => status === 'passed') ?? false
  const isGood = (test: Test) => test.status === 'passed' || passesNow(test)
  const bad = first.tests.filter((test) => !isGood(test))
  const passed = first.tests.length - bad.length
  const crash = first.crash ?? second?.crash

  const failures = [
    ...bad.map((test) => ({ name: nameOf(test), message: `(${test.status}) ${test.message}` })),
    ...first.broken.filter(({ file }) => !wholeAgain.has(file)).map(wholeFile),
    ...(crash === undefined ? [] : [{ name: 'the tests', message: crash }]),
  ]
  // Those that were skipped belong to a file that was broken, which is named.
  const once = first.tests.filter((test) => test.status === 'failed' && passesNow(test))
  const good = new Set(first.tests.filter(({ status }) => status === 'passed').map(keyOf))
  const onlyNow = second?.tests.filter((test) => test.status === 'failed' && good.has(keyOf(test))) ?? []
  const flaky = [
    ...[...once, ...onlyNow].map((test) => ({ file: test.file, name: nameOf(test), message: test.message })),
    ...first.broken.filter(({ file }) => wholeAgain.has(file)).map(wholeFile),
  ]
  return { passed, failures, flaky }
}

/** All runs of tests and all other checks as one. */
export function summed(verdicts: readonly Verdict[]): Verdict {
  const flaky = verdicts.flatMap((verdict) => verdict.flaky)
  // By file: tests of one file share their servers, so that one stall fails several of them.
  const files = new Set(flaky.map(({ file }) => file)).size
  const tooMany =
    files > FLAKY_FILES_MAX
      ? [{ name: 'the tests', message: `${files} files have flaky tests; ${FLAKY_FILES_MAX} may` }]
      : []
  return {
    passed: verdicts.reduce((sum, { passed }) => sum + passed, 0),
    failures: [...verdicts.flatMap(({ failures }) => failures), ...tooMany],
    flaky,
  }
}

const statusOf = (status: string): Status => (status === 'passed' || status === 'failed' ? status : 'skipped')
const keyOf = ({ file, name }: Test) => `${file}\n${name}`
const nameOf = ({ file, name }: Test) => `${file} > ${name}`
const wholeFile = ({ file, message }: Run['broken'][number]) => ({
  file,
  name: `${file} > the file as a whole`,
  message,
})
