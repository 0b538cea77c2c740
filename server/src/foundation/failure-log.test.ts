import { expect, test } from 'vitest'
import { openFailureLog, type FailureLine } from './failure-log.ts'

/** A log with a clock of its own. */
function openLog() {
  const lines: FailureLine[] = []
  let at = 0
  const log = openFailureLog(
    (line) => void lines.push(line),
    () => at,
  )
  /** So many seconds pass, in each of which `happens` is called. */
  const pass = (seconds: number, happens = () => {}) => {
    for (let second = 0; second < seconds; second += 1) {
      happens()
      at += 1000
      log.check()
    }
  }
  return { lines, pass, report: log.report }
}

test('an outage of ten minutes, with four failures a second, has twelve lines', () => {
  const { lines, pass, report } = openLog()
  pass(600, () => {
    for (let times = 0; times < 4; times += 1)
      report(new Error('PostgreSQL cannot answer now', { cause: new Error('refused') }))
  })
  pass(120)
  expect(lines).toHaveLength(12)
  expect(lines[0]).toMatchObject({
    level: 'warn',
    msg: 'a background job failed',
    err: { message: 'PostgreSQL cannot answer now: refused' },
  })
  expect(lines[1]).toMatchObject({ level: 'warn', msg: 'a background job fails again', times: 240, seconds: 59 })
  expect(lines.at(-1)).toMatchObject({
    level: 'info',
    msg: 'a background job fails no more',
    times: 2400,
    seconds: 599,
  })
})

test('a single failure has one line', () => {
  const { lines, pass, report } = openLog()
  report(new Error('a photo cannot be read'))
  pass(300)
  expect(lines).toHaveLength(1)
})

test('failures that differ have a line each, and thousands of them few', () => {
  const { lines, pass, report } = openLog()
  for (let n = 0; n < 5000; n += 1) report(new Error(`project ${n} stores too much`))
  expect(lines).toHaveLength(51)
  pass(1)
  expect(lines).toHaveLength(51)
})

test('what fails after it had ended has a line again', () => {
  const { lines, pass, report } = openLog()
  for (let outage = 0; outage < 2; outage += 1) {
    pass(5, () => report(new Error('the relay is away')))
    pass(70)
  }
  const once = ['failed', 'fails again', 'fails no more'].map((does) => `a background job ${does}`)
  expect(lines.map(({ msg }) => msg)).toEqual([...once, ...once])
})
