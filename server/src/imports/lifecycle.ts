// The lifecycle of an import, in one table: the state that follows from each fact, and what the fact changes. A blank cell
// is a fact that cannot happen in this state: a member is refused, and work that comes too late changes nothing.
//
//   plain:     uploading → queued → running → succeeded
//   reviewed:  uploading → reading → mapping → judging ⇄ reviewing → running → succeeded → undoing → undone
//
// An import that has not succeeded can fail, and a reviewed one can be discarded unless it is being applied.
//
// Invariants, each checked by a test over all states that facts lead to:
//   - each state but those that are over for good has work for a worker, or waits for a member for a limited time;
//   - animals are written between `running` and `succeeded` only, and taken back between `undoing` and `undone` only;
//   - an import that succeeded never becomes one that failed: an undo that cannot be finished leaves it applied;
//   - a plain import is never mapped, judged, undone or discarded, and a reviewed one is never queued.

import type { ImportState } from '@petstore-platform/contract/platform/import-shapes'

export const importFacts = [
  'started',
  'progressed',
  'read_asked',
  'table_read',
  'mapped',
  'judging_asked',
  'judged',
  'cell_corrected',
  'apply_asked',
  'outdated',
  'succeeded',
  'failed',
  'undo_asked',
  'undone',
  'discarded',
] as const
export type ImportFact = (typeof importFacts)[number]

/** What a member did; the others are facts of the work. */
const memberFacts: ReadonlySet<ImportFact> = new Set<ImportFact>([
  'started',
  'read_asked',
  'mapped',
  'judging_asked',
  'cell_corrected',
  'apply_asked',
  'undo_asked',
  'discarded',
])
export const isByMember = (kind: ImportFact): boolean => memberFacts.has(kind)

const ended = { failed: 'failed', discarded: 'discarded' } as const

export const importTransitions: Readonly<Record<ImportState, Readonly<Partial<Record<ImportFact, ImportState>>>>> = {
  uploading: { ...ended, started: 'queued', read_asked: 'reading' },
  queued: { progressed: 'running', failed: 'failed' },
  reading: { ...ended, table_read: 'mapping' },
  mapping: { ...ended, read_asked: 'reading', mapped: 'judging' },
  judging: { ...ended, judged: 'reviewing' },
  reviewing: {
    ...ended,
    read_asked: 'reading',
    mapped: 'judging',
    judging_asked: 'judging',
    cell_corrected: 'reviewing',
    apply_asked: 'running',
  },
  running: { progressed: 'running', outdated: 'judging', succeeded: 'succeeded', failed: 'failed' },
  succeeded: { undo_asked: 'undoing' },
  failed: { discarded: 'discarded' },
  undoing: { undone: 'undone', failed: 'succeeded' },
  undone: {},
  discarded: {},
}

/** Whether only reviewed imports have the fact, or only plain ones; undefined if both have it. */
const isOfReview = (kind: ImportFact): boolean | undefined => {
  if (kind === 'succeeded' || kind === 'failed') return undefined
  return kind !== 'started' && kind !== 'progressed'
}

export type Standing = { state: ImportState; isReviewed: boolean }

/** Undefined if the fact cannot happen. */
export const nextState = ({ state, isReviewed }: Standing, kind: ImportFact): ImportState | undefined =>
  isOfReview(kind) === !isReviewed ? undefined : importTransitions[state][kind]

/** Why a member cannot do it; undefined if it is possible. */
export function objectionTo(standing: Standing, kind: ImportFact): string | undefined {
  if (nextState(standing, kind) !== undefined) return undefined
  const { state, isReviewed } = standing
  if (kind === 'started') {
    return state === 'uploading' ? 'This import is reviewed: have its file read instead.' : startedAlready(state)
  }
  return isReviewed
    ? `Not possible now: the state of this import is ${state}.`
    : 'This import is not reviewed: it was created without isReviewed.'
}

export const startedAlready = (state: ImportState): string =>
  `This import has already been started; its state is ${state}.`

/** Who has to act next. A final state, and one in which an import is only kept, waits for no one. */
export const waitsFor: Readonly<Record<ImportState, 'worker' | 'member' | null>> = {
  uploading: 'member',
  queued: 'worker',
  reading: 'worker',
  mapping: 'member',
  judging: 'worker',
  reviewing: 'member',
  running: 'worker',
  succeeded: null,
  failed: null,
  undoing: 'worker',
  undone: null,
  discarded: null,
}

const REVIEW_SECONDS = 7 * 24 * 3600

/**
 * For how long the rows of an import are kept, and a member may go on with it: a reviewed one for a week after a member did
 * something, or it succeeded. The timer of one that is being uploaded is its deadline.
 */
export function secondsLeft({ state, isReviewed, idleSeconds }: Standing & { idleSeconds: number }): number {
  if (!isReviewed || state === 'uploading' || state === 'discarded') return 0
  return Math.max(0, Math.ceil(REVIEW_SECONDS - idleSeconds))
}

/** Why an import is given up for which no member has done anything. */
export const givenUp = (state: ImportState): string =>
  state === 'uploading' ? 'The import was not started within a day.' : 'The import was not applied within 7 days.'
