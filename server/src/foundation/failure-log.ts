// What fails in the background fails again at every attempt, several times a second while PostgreSQL is away. The log gets
// the first failure, then one line a minute with their number, and one when there has been none for a minute.

import { MINUTE } from './time.ts'

export type FailureLine = {
  level: 'warn' | 'info'
  /** `a background job failed`, `… fails again`, `… fails no more`. */
  msg: string
  err: { message: string; stack?: string | undefined }
  /** Since the first one, which had a line of its own. */
  times?: number
  seconds?: number
}

export type FailureLog = {
  report: (error: Error) => void
  /** To be called every few seconds. */
  check: () => void
}

/** In milliseconds. */
type Outage = { error: Error; times: number; since: number; last: number; written: number }

/** More are one: their messages differ in what failed, and one line a minute for all of them is enough. */
const KINDS_MAX = 50

/** `subjectOf`: what has failed, in words. */
export function openFailureLog(
  write: (line: FailureLine) => void,
  monotonic: () => number,
  subjectOf: (error: Error) => string = () => 'a background job',
): FailureLog {
  const outages = new Map<string, Outage>()
  const again = ({ error, times, since, last }: Outage, does: string) => ({
    msg: `${subjectOf(error)} ${does}`,
    err: { message: sentenceOf(error) },
    times,
    seconds: Math.round((last - since) / 1000),
  })
  return {
    report(error) {
      const at = monotonic()
      const own = sentenceOf(error)
      const kind = outages.has(own) || outages.size < KINDS_MAX ? own : 'others'
      const outage = outages.get(kind)
      if (outage) return void Object.assign(outage, { error, times: outage.times + 1, last: at })
      outages.set(kind, { error, times: 1, since: at, last: at, written: at })
      write({ level: 'warn', msg: `${subjectOf(error)} failed`, err: { message: own, stack: error.stack } })
    },
    check() {
      const at = monotonic()
      for (const [kind, outage] of outages) {
        const isOver = at - outage.last >= MINUTE
        if (isOver) outages.delete(kind)
        // A single failure says nothing more by having ended.
        if (isOver && outage.times > 1) write({ level: 'info', ...again(outage, 'fails no more') })
        if (isOver || at - outage.written < MINUTE) continue
        write({ level: 'warn', ...again(outage, 'fails again') })
        outage.written = at
      }
    },
  }
}

/** Includes the cause: that PostgreSQL cannot answer helps no operator without the reason. */
export function sentenceOf({ message, cause }: Error): string {
  const reason = cause instanceof Error ? cause.message || (cause as { code?: string }).code : undefined
  return reason === undefined ? message : `${message}: ${reason}`
}
