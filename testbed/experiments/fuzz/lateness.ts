// Lateness of answers. A server that loses a request still answers it in the end,
// with 408 when its time is up, and a fuzz that looks only at whether an answer is
// allowed does not see that. So every answer is timed, and late is a finding.

import type { ConnectionReply } from './connection.ts'

/** Far above what an answer takes, far below the timeouts of the server (10 s for a head, 15 s for a request). */
export const LATE_MS = 2000
/** At `/platform/v1`, where a password is hashed on purpose slowly, and several at once. */
export const PLATFORM_LATE_MS = 5000

export type Lateness = {
  /** Requests with a framing fault among those that were sent. */
  framingFaults: number
  /** Answers that were late. */
  late: number
  /** From the last byte of the request to the last byte of its answer, by the running clock. */
  slowestMs: number
  slowestCase: string
  /** What counted as late. */
  lateMs: number
}

export const noLateness = (lateMs: number): Lateness => ({
  framingFaults: 0,
  late: 0,
  slowestMs: 0,
  slowestCase: '',
  lateMs,
})

/** Counts an answer, and returns the finding if it is late. */
export function addAnswer(
  sum: Lateness,
  { name, isFraming = false }: { name: string; isFraming?: boolean },
  answer: ConnectionReply,
): { kind: 'late'; detail: string }[] {
  if (isFraming) sum.framingFaults += 1
  if (answer.ms > sum.slowestMs) {
    sum.slowestMs = answer.ms
    sum.slowestCase = name
  }
  const detail = latenessOf(answer, sum.lateMs)
  if (detail === undefined) return []
  sum.late += 1
  return [{ kind: 'late', detail }]
}

/** Why an answer is late, if it is. The fuzz sends every request whole, so 408 is always wrong. */
export function latenessOf({ status, ms }: Pick<ConnectionReply, 'status' | 'ms'>, lateMs: number): string | undefined {
  if (status === 408) return '408 although the request was sent whole'
  return ms > lateMs ? `more than ${lateMs} ms after the last byte of the request` : undefined
}
