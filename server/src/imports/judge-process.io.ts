// Judges the rows of imports in a process of its own, confined as the one that reads their files is: a cell may be made to
// cost time, and must not stop the worker, which has other things to do. The process has a deadline for each reply.

import { join } from 'node:path'
import { serialize } from 'node:v8'
import type { ImportValue } from '@petstore-platform/contract/platform/import-shapes'
import { startRequestProcess, type ProcessLimits } from '../foundation/processes/request-process.io.ts'
import type { NextAnimal, NextCategory, RowJudgement } from './judge.ts'
import type { FoundRow, Opening, OpenRowJudge, RowJudge } from './row-judge.ts'
import { UnfitFile } from './spreadsheet/limits.ts'
import { readableWith } from './spreadsheet/process.io.ts'

/** Values of V8 to the process; what it replies is JSON, since its rows come from strangers. */
export type JudgeRequest = { opening: Opening } | { rows: readonly FoundRow[] | undefined }

const LIMITS: ProcessLimits = { resident: 256 * 1_048_576, milliseconds: 20_000 }
const HEAP_MEGABYTES = 128

/** Sent together: so few that the worker does other things between them. */
const ROWS_AT_ONCE = 250
const LETTERS_AT_ONCE = 256 * 1024

export const openRowJudge: OpenRowJudge = (opening) => judgeConfined(LIMITS, opening)

export async function judgeConfined(limits: ProcessLimits, opening: Opening): Promise<RowJudge> {
  const judging = startRequestProcess({ program, readable, allowsAddons: false, options }, limits)
  async function ask(request: JudgeRequest): Promise<unknown> {
    const reply = await judging.ask({ head: null, blobs: [serialize(request)] })
    if (!('death' in reply)) return reply.head
    if (reply.death === 'internal') throw new Error('The process that judges rows ended.')
    throw new UnfitFile(reply.death === 'time' ? TOO_LONG : TOO_MUCH)
  }
  try {
    await ask({ opening })
  } catch (error) {
    await judging.end()
    throw error
  }
  return {
    async judge(rows) {
      const judgements: RowJudgement[] = []
      for (const some of inPieces(rows)) {
        const judged = (await ask({ rows: some })) as SentJudgement[]
        judgements.push(...judged.map(received))
      }
      return judgements
    },
    values: async () => (await ask({ rows: undefined })) as ImportValue[],
    end: () => judging.end(),
  }
}

const TOO_MUCH = 'The rows of the file need too much memory.'
const TOO_LONG = 'The rows of the file take too long to be understood.'

type SentCategory = { id: string } | { create: string }
type SentJudgement = Omit<RowJudgement, 'next'> & { next?: Omit<NextAnimal, 'category'> & { category: SentCategory } }

const received = ({ next, ...judgement }: SentJudgement): RowJudgement => ({
  ...judgement,
  ...(next && { next: { ...next, category: categoryOf(next.category) } }),
})

const categoryOf = (category: SentCategory): NextCategory => ('id' in category ? { id: BigInt(category.id) } : category)

function* inPieces(rows: readonly FoundRow[]): Generator<readonly FoundRow[]> {
  let from = 0
  let letters = 0
  for (const [index, { cells }] of rows.entries()) {
    letters += cells.reduce((sum, { length }) => sum + length, 0)
    if (index + 1 - from < ROWS_AT_ONCE && letters < LETTERS_AT_ONCE && index + 1 < rows.length) continue
    yield rows.slice(from, index + 1)
    from = index + 1
    letters = 0
  }
}

const program = join(import.meta.dirname, './judge-child.io.ts')
const packages = ['ajv', 'fast-deep-equal', 'fast-uri', 'json-schema-traverse', 'require-from-string']
const readable = readableWith(...packages)
const options = [`--max-old-space-size=${HEAP_MEGABYTES}`]
