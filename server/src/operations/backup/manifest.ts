// The manifest of a backup: what it contains, so that it can be checked without a database. Pure.

import { Type } from 'typebox'
import { Check } from 'typebox/value'

/** TableRows by table. */
export type TableRows = Readonly<Record<string, number>>

const Counted = Type.Record(Type.String(), Type.Integer({ minimum: 0 }))

const BackupManifest = Type.Object({
  format: Type.Literal(1),
  release: Type.String(),
  takenAt: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' }),
  /** Names, in order. */
  migrations: Type.Array(Type.String(), { minItems: 1 }),
  rows: Counted,
  /** Where the files of photos are: in the dump, or in a bucket, which is not part of the backup. */
  photos: Type.String(),
  dump: Type.Object({ bytes: Type.Integer({ minimum: 0 }), sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
})

export type BackupManifest = Type.Static<typeof BackupManifest>

export function parseManifest(text: string): BackupManifest {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  if (!Check(BackupManifest, value))
    throw new Error('This is no backup of Petstore, or a damaged one: its manifest is unreadable.')
  return value
}

/** One sentence for each table that does not have the rows of the manifest; none if all do. */
export function rowFaults(wanted: TableRows, found: TableRows, where: string): readonly string[] {
  const tables = new Set([...Object.keys(wanted), ...Object.keys(found)])
  return [...tables]
    .toSorted()
    .filter((table) => wanted[table] !== found[table])
    .map((table) => `${table}: ${countText(found[table])} in ${where}, ${countText(wanted[table])} in the manifest`)
}

const countText = (rows: number | undefined) => (rows === undefined ? 'no table' : `${rows} rows`)

export const sumOf = (rows: TableRows): number => Object.values(rows).reduce((sum, count) => sum + count, 0)

const PREFIX = 'petstore-'
const ENDING = '.tar'

/** Sorts by time. */
export const fileNameAt = (takenAt: Date): string => `${PREFIX}${takenAt.toISOString().replace(/[:.]/g, '-')}${ENDING}`

/** NaN if it is not the name of a backup. */
const takenAtOf = (name: string): number => {
  const [, day, ...parts] = /^petstore-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.tar$/.exec(name) ?? []
  return Date.parse(`${day}T${parts.slice(0, 3).join(':')}.${parts[3]}Z`)
}

const DAY_MS = 86_400_000
const DAILY = 7
const WEEKLY = 4

/**
 * The backups that are no longer needed: all but the newest of each of the last seven days and of the last four weeks that
 * have one. Other files are never among them.
 */
export function superseded(names: readonly string[]): readonly string[] {
  const backups = names
    .map((name) => ({ name, at: takenAtOf(name) }))
    .filter(({ at }) => !Number.isNaN(at))
    .toSorted((a, b) => b.at - a.at)
  const newestOf = (days: number, count: number) => {
    const periods = new Map<number, string>()
    // Weeks begin on Monday; the first day of the count was a Thursday.
    const periodOf = (at: number) => Math.floor((Math.floor(at / DAY_MS) + 3) / days)
    for (const { name, at } of backups) if (!periods.has(periodOf(at))) periods.set(periodOf(at), name)
    return [...periods.values()].slice(0, count)
  }
  const kept = new Set([...newestOf(1, DAILY), ...newestOf(7, WEEKLY)])
  return backups.map(({ name }) => name).filter((name) => !kept.has(name))
}
