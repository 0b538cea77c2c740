// The timer that fetches the photos of an import, the keys of its photos (those that begin with the identifier of an import
// belong to it), and when servers that take too long are given up. Pure.

import type { Timer } from '../foundation/postgres/timer-leases.io.ts'

export const photoFetchTimer = (project: bigint, id: string): Pick<Timer, 'kind' | 'project' | 'id'> => ({
  kind: 'import_photos',
  project,
  id,
})

export const photoKey = (id: string, row: number, number: number): string => `${id}/${row}/${number}`

/** How often each host took too long in an import. */
export type LateHosts = ReadonlyMap<string, number>

const LATE_MAX = { ofHost: 3, ofImport: 30 }

/** Why a photo of the host is no longer fetched in this import. */
export function givenUp(late: LateHosts, host: string): string | undefined {
  if ((late.get(host) ?? 0) >= LATE_MAX.ofHost) return `The server took too long ${LATE_MAX.ofHost} times. ${ADVICE}`
  const all = [...late.values()].reduce((sum, count) => sum + count, 0)
  return all >= LATE_MAX.ofImport ? `The servers of this file took too long ${all} times. ${ADVICE}` : undefined
}

const ADVICE = 'This photo was not fetched; add it to the animal by hand.'
