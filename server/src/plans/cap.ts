// A cap: how much one table can hold of one owner. Every table has one. How many rows there can be is a limit of
// limits.ts, or follows from another table, a key, a constant of the contract, or the rate at which requests are
// admitted. Pure.

import type { PlanName } from '@petstore-platform/contract/platform/projects'
import type { OtherLimit, PlanLimit } from '../projects/plan-rules.ts'
import type { LimitTable } from './limits.ts'
import { retentionOf } from './retention.ts'

export type CapOwner = 'project' | 'account' | 'address group' | 'installation'

export type Bound =
  /** A limit, and others that are added to it, and so many more. */
  | Readonly<{ by: 'limit'; limits: readonly (PlanLimit | OtherLimit)[]; more?: number }>
  /** A number that the contract or the program fixes. */
  | Readonly<{ by: 'constant'; most: number }>
  /** One row: its key is the owner. */
  | Readonly<{ by: 'key' }>
  /** So many for each row of another table of the same owner. */
  | Readonly<{ by: 'table'; table: string; each: number | OtherLimit }>
  /** What can be requested in a day, for as many days as it is kept. */
  | Readonly<{ by: 'rate'; perDay: number; days: number }>
  /** Rows that only an operator or a migration writes. */
  | Readonly<{ by: 'operator'; most: number }>

/** Bytes that are counted when they are written, for several tables together. */
export type CountedBytes = 'storedBytes' | 'photoBytes'

export type Cap = Readonly<{
  per: CapOwner
  bound: Bound
  /** At most, with its index entries; or the limit that counts the bytes of these rows. */
  rowBytes: number | CountedBytes
  /** Where one more is rejected, or makes room. */
  rejected: string
  removed: string
}>

export type Caps = Readonly<Record<string, Cap>>

/** `removed`: besides what retention.ts says. */
type Entry = readonly [bound: Bound, rowBytes: number | CountedBytes, rejected: string, removed?: string]

export const capsPer = (per: CapOwner, entries: Readonly<Record<string, Entry>>): Caps =>
  Object.fromEntries(
    Object.entries(entries).map(([table, [bound, rowBytes, rejected, removed]]) => [
      table,
      { per, bound, rowBytes, rejected, removed: removedText(table, removed) },
    ]),
  )

function removedText(table: string, otherwise: string | undefined): string {
  const told = [otherwise, retentionOf(table)].filter((text) => text !== undefined)
  if (told.length === 0) throw new Error(`nothing says when rows of ${table} are removed`)
  return told.join(', or ')
}

export const limit = (...limits: (PlanLimit | OtherLimit)[]): Bound => ({ by: 'limit', limits })
export const limitAnd = (more: number, ...limits: (PlanLimit | OtherLimit)[]): Bound => ({ by: 'limit', limits, more })
export const constant = (most: number): Bound => ({ by: 'constant', most })
export const key: Bound = { by: 'key' }
export const each = (table: string, count: number | OtherLimit = 1): Bound => ({ by: 'table', table, each: count })
export const rate = (perDay: number, days: number): Bound => ({ by: 'rate', perDay, days })
export const operator = (most: number): Bound => ({ by: 'operator', most })

export type CapFigures = Readonly<{ table: string; per: CapOwner; rows: number; bytes: number | CountedBytes }>

/** The rows that an owner can have in a table, on a plan. */
export function rowsOf(caps: Caps, table: string, plan: PlanName, limits: LimitTable): number {
  const bound = caps[table]?.bound
  if (!bound) throw new Error(`the table ${table} has no cap`)
  switch (bound.by) {
    case 'limit':
      return bound.limits.reduce((sum, name) => sum + limitOf(name, plan, limits), bound.more ?? 0)
    case 'constant':
    case 'operator':
      return bound.most
    case 'key':
      return 1
    case 'table':
      return countOf(bound.each, limits) * rowsOf(caps, bound.table, plan, limits)
    case 'rate':
      return bound.perDay * bound.days
  }
}

const countOf = (each: number | OtherLimit, { other }: LimitTable): number =>
  typeof each === 'number' ? each : other[each]

const limitOf = (name: PlanLimit | OtherLimit, plan: PlanName, { ofPlan, other }: LimitTable): number =>
  name in ofPlan ? ofPlan[name as PlanLimit][plan] : other[name as OtherLimit]

/** The figures of every table, on a plan. */
export const figuresOf = (caps: Caps, plan: PlanName, limits: LimitTable): CapFigures[] =>
  Object.entries(caps).map(([table, { per, rowBytes }]) => {
    const rows = rowsOf(caps, table, plan, limits)
    return { table, per, rows, bytes: typeof rowBytes === 'number' ? rows * rowBytes : rowBytes }
  })

export type Occupied = Readonly<{
  /** What an account has that belongs to no project. */
  account: number
  /** One project on the plan `free`, and what a deleted one leaves for deletedProjectDays: its rows, texts and photos. */
  project: number
  /** How many deleted ones can be left. */
  deleted: number
  /** All of one free account. */
  total: number
}>

/** The bytes that one free account can occupy at most. */
export function occupiedByFreeAccount(caps: Caps, limits: LimitTable): Occupied {
  const figures = figuresOf(caps, 'free', limits)
  const sumOf = (owner: CapOwner) =>
    figures.reduce((sum, { per, bytes }) => sum + (per === owner && typeof bytes === 'number' ? bytes : 0), 0)
  const { storedBytes, photoBytes } = limits.ofPlan
  const account = sumOf('account')
  const project = sumOf('project') + storedBytes.free + PHOTOS_KEPT * photoBytes.free
  const { unpaidProjects, projectsEver, projectsPerDay, deletedProjectDays } = limits.other
  const kept = Math.min(unpaidProjects, projectsEver)
  // A day more: it may have been created the day before, and is erased within a day.
  const deleted = Math.min(projectsEver - kept, projectsPerDay * (deletedProjectDays + 1))
  return { account, project, deleted, total: account + (kept + deleted) * project }
}

/**
 * How often photoBytes can be stored: once by photos, and by files of deleted ones, which stay for a week: as much in
 * each of two periods of a week that overlap with it.
 */
export const PHOTOS_KEPT = 3
