// Load of the machine during a measurement: if processes wait for a processor most of the time,
// the measured times say little about ours.

import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

export type Pressure = {
  cores: number
  /** The part of the time in which some process waited for a processor; null where the system does not report it. */
  waited: number | null
}

/** Measures from now until the returned function is called. */
export function feelPressure(): () => Pressure {
  const [began, before] = [performance.now(), waitedMs()]
  return () => {
    const after = waitedMs()
    const isKnown = before !== null && after !== null
    return {
      cores: availableParallelism(),
      waited: isKnown ? Math.min(1, (after - before) / (performance.now() - began)) : null,
    }
  }
}

/** Linux counts microseconds; elsewhere there is nothing to read. */
function waitedMs(): number | null {
  try {
    const total = /^some .*total=(\d+)/m.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1]
    return total === undefined ? null : Number(total) / 1000
  } catch {
    return null
  }
}
