// Decides when a supervisor replaces a process that has died: at once if it had served for a while, later each time if
// not, and never again after several that could not even start. A service whose processes crash after a while goes on,
// slowly; one whose processes cannot start any more ends, so that what supervises it notices.

import { MINUTE, SECOND } from './time.ts'

export type RespawnState = {
  /** Deaths in a row of processes that had not served for long. */
  deaths: number
  /** Processes in a row that died before they served. */
  failures: number
}

export const calm: RespawnState = { deaths: 0, failures: 0 }

const FIRST_DELAY_MS = SECOND / 4
const DELAY_MAX_MS = 30 * SECOND
/** A process that has served for so long is no part of a series of deaths. */
const STEADY_MS = MINUTE
const FAILURES_MAX = 5

/** `servedMs` is undefined if the process died before it served. A `delayMs` of undefined ends the supervisor. */
export function afterDeath(
  { deaths, failures }: RespawnState,
  servedMs: number | undefined,
): { state: RespawnState; delayMs: number | undefined } {
  const isSteady = servedMs !== undefined && servedMs >= STEADY_MS
  const state = {
    deaths: isSteady ? 1 : deaths + 1,
    failures: servedMs === undefined ? failures + 1 : 0,
  }
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (state.deaths - 1), DELAY_MAX_MS)
  return { state, delayMs: state.failures >= FAILURES_MAX ? undefined : delayMs }
}
