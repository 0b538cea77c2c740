// Tombstones: what has ended since a backup was taken and must not come back with it. One line of JSON each, in a file for
// each day, in the order in which they were committed. To apply one twice is harmless. Pure.

import { HOUR } from '../../foundation/time.ts'

export type Tombstone = Readonly<{
  at: string
  kind: string
  subject: string
  /** Null where it belongs to none. */
  project: string | null
  endsAt: string | null
}>

/** The first line of a folder: what ended before is not in it. */
export const BEGIN = 'begin'

const FILE = /^tombstones-\d{4}-\d\d-\d\d\.jsonl$/
export const fileOfDay = (at: number): string => `tombstones-${new Date(at).toISOString().slice(0, 10)}.jsonl`

export const tombstoneFiles = (names: readonly string[]): string[] => names.filter((name) => FILE.test(name)).toSorted()

/** A last line without an end is written again; any other that cannot be read is a fault. */
export const parseTombstones = (text: string, file: string): readonly Tombstone[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line, index) => {
      try {
        const one = JSON.parse(line) as Tombstone
        if (!Number.isNaN(Date.parse(one.at)) && typeof one.kind === 'string') return one
      } catch {}
      throw new Error(`Line ${index + 1} of ${file} is no tombstone. Restore the file, or use --without-tombstones.`)
    })

/** Throws if they do not reach back to the time of the backup: what ended in between would come back. */
export function sinceBackup(all: readonly Tombstone[], takenAt: string): readonly Tombstone[] {
  const first = all[0]?.at ?? 'no time'
  if (first > takenAt)
    throw new Error(`The tombstones begin at ${first}, after the backup of ${takenAt}: see --without-tombstones.`)
  // A transaction may have begun before the snapshot, and ended after it.
  const from = new Date(Date.parse(takenAt) - HOUR).toISOString()
  return all.filter(({ at, kind }) => kind !== BEGIN && at >= from)
}
