// How much the tables of the database grow while one free account stores what it can, with their index entries, and what
// their caps allow. For the line about disk.

import type pg from 'pg'
import {
  PHOTOS_KEPT,
  figuresOf,
  type CapFigures,
  type CapOwner,
  type CountedBytes,
} from '../../server/src/plans/cap.ts'
import { caps } from '../../server/src/plans/caps.ts'
import { limitTableOf } from '../../server/src/plans/limits-file.ts'
import { smallLimits } from './free-shop.ts'

/** Large enough that a table is more than its first page, and small enough to be reached within a minute. */
export const diskLimits = {
  ...smallLimits,
  animals: 500,
  idempotencyKeys: 200,
  keys: 20,
  storedBytes: 400_000,
  importBytes: 100_000,
  importRows: 500,
  auditEvents: 1000,
  endedKeys: 50,
  endedImports: 50,
  photos: 20,
  photoBytes: 2_000_000,
  deployments: 5,
  invitationsPerDay: 20,
  openRequests: 10,
  endedRequests: 20,
  visitorMails: 20,
} as const

export const diskTable = limitTableOf(JSON.stringify(diskLimits), [])

type TableSizes = ReadonlyMap<string, { bytes: number; rows: number; files: number }>

/** Without the room of rows that were deleted, which others use again; with indexes and texts that are stored elsewhere. */
export async function tableSizes(owner: pg.Client): Promise<TableSizes> {
  await owner.query('vacuum full analyze')
  const { rows } = await owner.query<{ name: string; bytes: number; rows: number; files: number }>(
    `select relname as name, pg_total_relation_size(oid)::float8 as bytes, reltuples::float8 as rows,
       (select 2 + count(*) from pg_index where indrelid = pg_class.oid)::integer as files
     from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  return new Map(rows.map(({ name, ...size }) => [name, size]))
}

/** With the room of rows that were deleted and not vacuumed yet. */
export async function fileBytes(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ bytes: number }>('select pg_database_size(current_database())::float8 as bytes')
  return rows[0]?.bytes ?? 0
}

const PAGE = 8192

export type Growth = {
  table: string
  grown: number
  most: number
  rows: number
  mostRows: number
  /** An index is never less than a few pages. */
  pages: number
  /** The limit that counts these bytes, with those of other tables. */
  countedBy: CountedBytes | undefined
  /** Bounded by what can be requested in a day, and so never reached in a run. */
  isOfRate: boolean
}

/** Of each table against its caps, of as many owners as the account has. */
export function growthOf(before: TableSizes, after: TableSizes): Growth[] {
  const { storedBytes, photoBytes, projectsEver } = diskLimits
  const ownersOf = (per: CapOwner) => (per === 'project' ? projectsEver : 1)
  const counted = { storedBytes, photoBytes: PHOTOS_KEPT * photoBytes }
  const mostOf = ({ per, bytes }: CapFigures) => ownersOf(per) * (typeof bytes === 'number' ? bytes : counted[bytes])
  return figuresOf(caps, 'free', diskTable).flatMap((figures) => {
    const { table, per } = figures
    const [old, now] = [before.get(table), after.get(table)]
    if (!old || !now || (now.bytes <= old.bytes && now.rows <= old.rows)) return []
    const rows = { rows: now.rows - Math.max(old.rows, 0), mostRows: ownersOf(per) * figures.rows }
    const grown = now.bytes - old.bytes
    const countedBy = typeof figures.bytes === 'number' ? undefined : figures.bytes
    const isOfRate = caps[table]?.bound.by === 'rate'
    return [{ table, grown, most: mostOf(figures), ...rows, pages: 2 * PAGE * now.files, countedBy, isOfRate }]
  })
}

/** Of the tables together; bytes that one limit counts for several tables, once. */
export function sumOfCaps(growth: readonly Growth[]): number {
  const byCounter = new Map(growth.map((one) => [one.countedBy ?? one.table, one.most]))
  return [...byCounter.values()].reduce((sum, most) => sum + most, 0)
}
