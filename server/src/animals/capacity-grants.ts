// How many rows a process may add to a project before it looks up again how many there are: a part of the room that it
// found. So adding an animal costs no lookup while there is room, and the closer a project is to its limit, the more often
// its rows are counted. Pure.

import { BoundedMap } from '../foundation/load/bounded-map.ts'

export type CapacityGrants = {
  /** Takes room for one row; false if it is not known that there is some. */
  take(project: bigint): boolean
  /** How many more rows the project may have, as just looked up. */
  learn(project: bigint, free: number): void
}

/** Of the room that is left, so that many processes together exceed a limit by little. */
const PART = 16
const PROJECTS_MAX = 100_000

export function createCapacityGrants(): CapacityGrants {
  const left = new BoundedMap<bigint, number>({ countMax: PROJECTS_MAX })
  return {
    take(project) {
      const count = left.get(project) ?? 0
      if (count < 1) return false
      left.set(project, count - 1)
      return true
    },
    learn: (project, free) => left.set(project, Math.floor(free / PART)),
  }
}
