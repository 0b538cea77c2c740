// The timer that fetches the photos of an import, the keys of its photos (those that begin with the identifier of an import
// belong to it), and when servers that take too long are given up. Pure.

import type { RowPhoto } from '@petstore-platform/contract/platform/import-shapes'
import { PHOTOS_MAX } from '@petstore-platform/contract/platform/photos'
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

// The photos that a row names: https addresses, which a worker fetches, and names of files, which the browser uploads.
//

/** Each once, in order. */
export function photosIn(cells: readonly string[]): RowPhoto[] {
  const names = new Set(cells.flatMap(namesIn))
  return [...names].slice(0, PHOTOS_MAX).map(photoOf)
}

/** A name of a file may contain spaces, an address none; commas belong to some addresses, and separate behind colons. */
const namesIn = (cell: string): string[] =>
  cell
    .replaceAll(/\S+/g, (word) => {
      const colon = word.lastIndexOf(':') + 1
      return word.slice(0, colon) + word.slice(colon).replaceAll(',', '\n')
    })
    .split(/[\r\n;|]+|,(?=https?:)|\s(?=https?:)/)
    .map((name) => name.trim())
    .filter((name) => name !== '' && name.length <= NAME_LENGTH_MAX)

const NAME_LENGTH_MAX = 2000

function photoOf(name: string): RowPhoto {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(name)) return { name, state: 'file', reason: null }
  if (/^https:\/\/[^/]/i.test(name) && URL.canParse(name)) return { name, state: 'pending', reason: null }
  return { name, state: 'failed', reason: 'Only https addresses are fetched.' }
}
