// The manifest of a backup: what it contains, so that it can be checked without a database; and which backups are kept. Pure.

import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { DAY } from '../../foundation/time.ts'

export type TableRows = Readonly<Record<string, number>>

const BackupManifest = Type.Object({
  format: Type.Literal(1),
  release: Type.String(),
  takenAt: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
  migrations: Type.Array(Type.String(), { minItems: 1 }),
  rows: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  /** Where the files of photos are: `database`, or the address of a bucket, which is not part of the backup. */
  photos: Type.String(),
  dump: Type.Object({ bytes: Type.Integer({ minimum: 1 }), sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
})

export type BackupManifest = Type.Static<typeof BackupManifest>

export function parseManifest(text: string): BackupManifest {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {}
  if (!Check(BackupManifest, value))
    throw new Error('This is no backup of Petstore, or a damaged one: it has no manifest.')
  return value
}

/** Throws a line for each table that has others than were counted. */
export function refuseOtherRows(wanted: TableRows, found: TableRows, where: string): void {
  const text = (rows: number | undefined) => (rows === undefined ? 'no table' : `${rows} rows`)
  const faults = [...new Set([...Object.keys(wanted), ...Object.keys(found)])]
    .filter((table) => wanted[table] !== found[table])
    .map((table) => `\n${table}: ${text(found[table])} in ${where}, ${text(wanted[table])} in the manifest`)
  if (faults.length > 0) throw new Error(`These are not the rows that were counted:${faults.join('')}`)
}

export const sumOf = (rows: TableRows): number => Object.values(rows).reduce((sum, count) => sum + count, 0)

/** Reports the share of rows in the tables that are begun. */
export function progressOf(rows: TableRows, report: (share: number) => void): (table: string) => void {
  let begun = 0
  return (table) => report((begun += rows[table] ?? 0) / Math.max(1, sumOf(rows)))
}

const NAME = /^petstore-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.backup$/

export const fileNameAt = (takenAt: string): string => `petstore-${takenAt.replaceAll(/[:.]/g, '-')}.backup`

/**
 * The backups that are no longer needed: all but the newest of each of the last seven days and of the last four weeks that
 * have one. Other files are never among them.
 */
export function superseded(names: readonly string[]): readonly string[] {
  const backups = names.filter((name) => NAME.test(name)).toSorted((a, b) => (a < b ? 1 : -1))
  const newestOf = (days: number, count: number) => {
    const periods = new Map<number, string>()
    for (const name of backups) {
      // Weeks begin on Monday; the first day of the count was a Thursday.
      const period = Math.floor((Date.parse(NAME.exec(name)?.[1] ?? '') / DAY + 3) / days)
      if (!periods.has(period)) periods.set(period, name)
    }
    return [...periods.values()].slice(0, count)
  }
  const kept = new Set([...newestOf(1, 7), ...newestOf(7, 4)])
  return backups.filter((name) => !kept.has(name))
}
