// Judges the rows of one import after another: what their cells mean, and what becomes of their animals. It needs no database,
// so that judge-child.io.ts can run it where it does no harm. Pure.

import {
  VALUES_SHOWN,
  type ImportField,
  type ImportReading,
  type ImportValue,
  type ImportValues,
} from '@petstore-platform/contract/platform/import-shapes'
import { shortText, valueKey } from '@petstore-platform/contract/platform/spelled-words'
import { judgeRow, type Found, type JudgeContext, type RowJudgement } from './judge.ts'
import {
  isMatched,
  isPossible,
  proposeMatch,
  type Match,
  type MatchContext,
  type MatchedField,
} from './spreadsheet/values.ts'

/** What the rows are judged by; as data, for another process. */
export type Opening = MatchContext & {
  /** By column. */
  fields: readonly (ImportField | null)[]
  reading: ImportReading
  decisions: ImportValues['values']
}

export type FoundRow = { cells: readonly string[]; found: Found }

export type RowJudge = {
  /** In the order of the rows. */
  judge(rows: readonly FoundRow[]): Promise<RowJudgement[]>
  /** The values that were met, with what they mean. */
  values(): Promise<ImportValue[]>
  end(): Promise<void>
}

export type OpenRowJudge = (opening: Opening) => Promise<RowJudge>

export function rowJudge({ fields, reading, categories, today, decisions }: Opening): RowJudge {
  const meanings = valueMeanings({ categories, today }, decisions)
  const context: JudgeContext = { fields, reading, categories, today, matchOf: meanings.matchOf }
  return {
    judge: async (rows) =>
      rows.map(({ cells, found }) => {
        meanings.count(fields, cells)
        return judgeRow(cells, found, context)
      }),
    values: async () => meanings.values(),
    end: async () => {},
  }
}

type Meanings = {
  matchOf: (field: MatchedField, value: string) => Match
  count(fields: readonly (ImportField | null)[], cells: readonly string[]): void
  values(): ImportValue[]
}

/** Each distinct value is decided once. */
function valueMeanings(context: MatchContext, decisions: Opening['decisions']): Meanings {
  const decided = new Map(
    decisions.map(({ field, value, action, to }) => [`${field} ${valueKey(value)}`, { action, to }]),
  )
  const known = new Map<string, ImportValue>()
  const matchOf = (field: MatchedField, value: string): Match => {
    const key = `${field} ${valueKey(value)}`
    const met = known.get(key)
    if (met) return met
    const decision = decided.get(key)
    const isDecided = decision !== undefined && isPossible(field, decision, context)
    const match = isDecided ? decision : proposeMatch(field, value, context)
    // A column that holds something else has as many values as rows: only the first are remembered.
    if (known.size < KNOWN_MAX) known.set(key, { field, value, ...match, rows: 0, isProposed: !isDecided })
    return match
  }
  return {
    matchOf,
    count(fields, cells) {
      for (const [column, field] of fields.entries()) {
        const text = shortText(cells[column] ?? '') ?? ''
        if (field === null || !isMatched(field) || text === '') continue
        matchOf(field, text)
        const met = known.get(`${field} ${valueKey(text)}`)
        if (met) met.rows += 1
      }
    },
    values() {
      const shown = new Map<string, number>()
      return [...known.values()].filter(({ field }) => {
        shown.set(field, (shown.get(field) ?? 0) + 1)
        return (shown.get(field) ?? 0) <= VALUES_SHOWN
      })
    },
  }
}

const KNOWN_MAX = 20_000
