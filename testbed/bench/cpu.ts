// Processor time used during a round by PostgreSQL, the service and wrk. It is read from /proc,
// so it works on Linux only; it measures work done, independently of what else the machine was
// doing: of several PostgreSQLs that run on it, only the one of the benchmark is counted.

import { readdirSync, readFileSync } from 'node:fs'
import { quantile } from '../harness/quantile.ts'

const TICK_MS = 10

export type Work = { postgres: number; service: number; load: number }

/** Process ids: PostgreSQL's processes are the postmaster and its children. */
export type MeasuredProcesses = { service: number; postmaster: number }

/** Milliseconds of processor time of all processes so far, by program. */
export function workSoFar({ service, postmaster }: MeasuredProcesses): Work {
  const work: Work = { postgres: 0, service: 0, load: 0 }
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = read(`/proc/${pid}/stat`)
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // User and system time, of the process itself and of its exited children.
    const ms = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0) * TICK_MS
    const parent = Number(fields[1])
    if (Number(pid) === service) work.service += ms
    else if (Number(pid) === postmaster || parent === postmaster) work.postgres += ms
    else if (Number(pid) === process.pid) work.load += ms
  }
  return work
}

/** Microseconds of processor time per request. */
export const perRequest = ({ postgres, service, load }: Work, requests: number): Work => ({
  postgres: (postgres * 1000) / requests,
  service: (service * 1000) / requests,
  load: (load * 1000) / requests,
})

export function medianWork(rounds: readonly Work[]): Work {
  const middle = (of: (work: Work) => number) => quantile(rounds.map(of), 0.5)
  return {
    postgres: middle((work) => work.postgres),
    service: middle((work) => work.service),
    load: middle((work) => work.load),
  }
}

export const workBetween = (before: Work, after: Work): Work => ({
  postgres: after.postgres - before.postgres,
  service: after.service - before.service,
  load: after.load - before.load,
})

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // it has exited in the meantime
  }
}
