// Lateness of responses. A server that loses a request still responds in the end, with 408 when
// its time is up, and a fuzzer that checks only whether a response is allowed does not detect
// that. So every response is timed, and a late one is a finding.

import type { ConnectionReply } from './connection.ts'

/**
 * Far above the duration of a response, far below the timeouts of the server (10 s for a head,
 * 15 s for a request).
 */
export const LATE_MS = 2000
/** For `/platform/v1`, where passwords are hashed slowly on purpose, and several at once. */
export const PLATFORM_LATE_MS = 5000

export type Lateness = {
  /** Sent requests with a framing fault. */
  framingFaults: number
  /** Late responses. */
  late: number
  /** From the last byte of the request to the last byte of its response, by the running clock. */
  slowestMs: number
  slowestCase: string
  /** The bound above which a response counted as late. */
  lateMs: number
}

export const noLateness = (lateMs: number): Lateness => ({
  framingFaults: 0,
  late: 0,
  slowestMs: 0,
  slowestCase: '',
  lateMs,
})

/** Counts a response, and returns the finding if it is late. */
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

/** The reason why a response is late, if it is. The fuzzer sends every request whole, so 408 is always wrong. */
export function latenessOf({ status, ms }: Pick<ConnectionReply, 'status' | 'ms'>, lateMs: number): string | undefined {
  if (status === 408) return '408 although the request was sent whole'
  return ms > lateMs ? `more than ${lateMs} ms after the last byte of the request` : undefined
}
