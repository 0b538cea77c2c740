// A view for every state of an import and every outcome of a row. One that is added to the contract does not compile
// until it has a view here.

import type { ImportState, RowOutcome } from '@petstore-platform/contract/platform/import-shapes'
import type { Received } from '@petstore-platform/contract/platform/client'
import * as texts from '../texts/texts.ts'
import type { Tone } from '../ui/badge.tsx'
import { namedField } from '../ui/named-field.ts'
import type { ImportStep } from './steps.ts'

const { states, outcomes } = texts.imports

export type FoundImport = Received<'getImport'>
export type ReviewRow = Received<'listImportRows'>[number]

type ImportView = {
  label: string
  tone: Tone
  /** The server is at work, and the page waits. */
  isGoing: boolean
  /** The pages that it has now. Of any other page, the last one is shown. */
  open: readonly ImportStep[]
}

const review = ['columns', 'values', 'review'] as const

export const importViews: Record<ImportState, ImportView> = {
  uploading: { label: states.uploading, tone: 'plain', isGoing: false, open: ['done'] },
  queued: { label: states.queued, tone: 'wait', isGoing: true, open: ['done'] },
  reading: { label: states.reading, tone: 'wait', isGoing: true, open: ['columns'] },
  mapping: { label: states.mapping, tone: 'warn', isGoing: false, open: ['columns'] },
  judging: { label: states.judging, tone: 'wait', isGoing: true, open: review },
  reviewing: { label: states.reviewing, tone: 'warn', isGoing: false, open: review },
  running: { label: states.running, tone: 'wait', isGoing: true, open: ['done'] },
  succeeded: { label: states.succeeded, tone: 'good', isGoing: false, open: ['done'] },
  failed: { label: states.failed, tone: 'bad', isGoing: false, open: ['done'] },
  undoing: { label: states.undoing, tone: 'wait', isGoing: true, open: ['done'] },
  undone: { label: states.undone, tone: 'plain', isGoing: false, open: ['done'] },
  discarded: { label: states.discarded, tone: 'plain', isGoing: false, open: ['done'] },
}

/** The page at which a person continues. */
export const stepOf = (state: ImportState): ImportStep => importViews[state].open.at(-1) ?? 'done'

export const outcomeViews: Record<RowOutcome, { label: string; tone: Tone }> = {
  create: { label: outcomes.create, tone: 'good' },
  update: { label: outcomes.update, tone: 'wait' },
  unchanged: { label: outcomes.unchanged, tone: 'plain' },
  problem: { label: outcomes.problem, tone: 'bad' },
  skip: { label: outcomes.skip, tone: 'plain' },
}

/** What is wrong with a cell: the cell stands beside it, so it is not named again. */
export function faultWords(reason: string): string {
  const named = namedField(reason)
  return named ? texts.profiles.fault(named.rest) : reason
}
