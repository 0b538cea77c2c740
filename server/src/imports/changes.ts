// What each fact in the life of an import changes in its row, and what the audit trail says of it. Pure.

import {
  KEPT_SHOWN,
  type BadLine,
  type ImportReading,
  type ImportState,
  type ImportTable,
  type ImportValue,
  type ImportValues,
  type KeptReason,
  type OnBadLine,
  type OutcomeCounts,
} from '@petstore-platform/contract/platform/import-shapes'
import { isByMember, nextState, type Standing } from './lifecycle.ts'

export type Tally = { lines: number; bad: number; badLines: BadLine[] }
export type ValueDecision = ImportValues['values'][number]
/** `id`: an identifier as text, since JSON has no integers of 64 bits. */
export type Kept = { id: string; name: string; reason: KeptReason }

export type StatedFact =
  | { kind: 'started'; parts: number }
  | { kind: 'progressed'; tally: Tally }
  | { kind: 'read_asked'; parts: number; sheet: string | undefined }
  | { kind: 'table_read'; table: ImportTable; reading: ImportReading }
  | { kind: 'mapped'; table: ImportTable; reading: ImportReading }
  | { kind: 'judging_asked'; decisions: readonly ValueDecision[] }
  | { kind: 'judged'; values: readonly ImportValue[]; counts: OutcomeCounts }
  | { kind: 'cell_corrected'; counts: OutcomeCounts }
  | { kind: 'apply_asked'; onBadLine: OnBadLine }
  | { kind: 'outdated'; reason: string }
  | { kind: 'succeeded'; added: number; result: Tally | Applied }
  | { kind: 'failed'; reason: string; tally?: Tally }
  | { kind: 'undone'; kept: readonly Kept[]; undone: number }
  | { kind: 'undo_asked' | 'discarded' }

/** What a reviewed import did. */
export type Applied = { changed: number; counts: OutcomeCounts; madeCategories: readonly bigint[] }

/** Of the row in the database, by the names of its columns. */
export type Columns = {
  state: ImportState
  parts: number
  sheet: string | null
  contents: ImportTable | null
  reading: ImportReading | null
  decisions: readonly ValueDecision[]
  matches: readonly ImportValue[]
  counts: OutcomeCounts | null
  on_bad_line: OnBadLine
  lines: number
  added: number
  changed: number
  bad: number
  bad_lines: readonly BadLine[]
  reason: string | null
  made_categories: readonly string[]
  kept: readonly Kept[]
  kept_count: number
}

export type ImportChange = {
  columns: Partial<Columns> & Pick<Columns, 'state'>
  /** Whether the import has ended, whatever the result. */
  isEnd: boolean
  /** Whether the time begins anew for which it is kept. */
  isTouched: boolean
}

/** Undefined if the fact cannot happen. */
export function next(before: Standing, fact: StatedFact): ImportChange | undefined {
  const state = nextState(before, fact.kind)
  if (state === undefined) return undefined
  const hasSucceeded = fact.kind === 'succeeded'
  return {
    columns: { ...changesOf(fact), state },
    isEnd: hasSucceeded || state === 'failed' || state === 'discarded',
    isTouched: hasSucceeded || isByMember(fact.kind),
  }
}

const unread = { contents: null, reading: null, decisions: [], matches: [], counts: null, lines: 0 } as const

function changesOf(fact: StatedFact): Partial<Columns> {
  switch (fact.kind) {
    case 'started':
      return { parts: fact.parts }
    case 'progressed':
      return tallied(fact.tally)
    case 'read_asked':
      return { ...unread, parts: fact.parts, sheet: fact.sheet ?? null, reason: null }
    case 'table_read':
      return { contents: fact.table, reading: fact.reading, lines: fact.table.rows }
    case 'mapped':
      return { contents: fact.table, reading: fact.reading, reason: null }
    case 'judging_asked':
      return { decisions: fact.decisions, reason: null }
    case 'judged':
      return { matches: fact.values, ...counted(fact.counts) }
    case 'cell_corrected':
      return counted(fact.counts)
    case 'apply_asked':
      return { on_bad_line: fact.onBadLine, reason: null }
    case 'outdated':
      return { reason: fact.reason }
    case 'succeeded':
      return { added: fact.added, ...('counts' in fact.result ? applied(fact.result) : tallied(fact.result)) }
    case 'failed':
      return { reason: fact.reason, ...(fact.tally && tallied(fact.tally)) }
    case 'undone':
      return { kept: fact.kept.slice(0, KEPT_SHOWN), kept_count: fact.kept.length }
    default:
      return { reason: null }
  }
}

const tallied = ({ lines, bad, badLines }: Tally) => ({ lines, bad, bad_lines: badLines })
const counted = (counts: OutcomeCounts) => ({ counts, bad: counts.problem })
const applied = ({ changed, counts, madeCategories }: Applied) => ({
  changed,
  counts,
  made_categories: madeCategories.map(String),
})

/** What the audit trail says of the fact; undefined if it says nothing. */
export function auditOf(fact: StatedFact, state: ImportState) {
  switch (fact.kind) {
    case 'started':
      return { action: 'import_started', detail: { parts: fact.parts } } as const
    case 'apply_asked':
      return { action: 'import_applied', detail: { onBadLine: fact.onBadLine } } as const
    case 'succeeded':
      return { action: 'import_succeeded', detail: resultOf(fact) } as const
    case 'failed': {
      const { tally } = fact
      const detail = tally ? { lines: tally.lines, added: 0, bad: tally.bad } : { bad: 0 }
      return state === 'failed' ? ({ action: 'import_failed', detail } as const) : undefined
    }
    case 'undo_asked':
      return { action: 'import_undo_started', detail: {} } as const
    case 'undone':
      return { action: 'import_undone', detail: { undone: fact.undone, kept: fact.kept.length } } as const
    case 'discarded':
      return { action: 'import_discarded', detail: {} } as const
    default:
      return undefined
  }
}

function resultOf({ added, result }: Extract<StatedFact, { kind: 'succeeded' }>) {
  if (!('counts' in result)) return { lines: result.lines, added, bad: result.bad }
  const { changed, counts } = result
  const lines = Object.values(counts).reduce((sum, one) => sum + one, 0)
  return { lines, added, changed, bad: counts.problem }
}
