// The background work of an import that is reviewed: what its state asks for. A member's step sets the state and the timer
// in one transaction; the work of a step ends with the next state, and can be repeated until then. What is not applied
// within a week is given up, and a week after the last step the rows are deleted.

import type { ImportState } from '@petstore-platform/contract/platform/import-shapes'
import type { Timer } from '../foundation/postgres/timers.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { recordAudit } from '../projects/project-queries.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { applyAll, Outdated } from './apply.io.ts'
import { judgeAll, readFile, type ReviewDeps } from './review.io.ts'
import * as review from './review-queries.ts'
import { undoAll } from './undo.io.ts'
import { UnfitFile } from './spreadsheet/limits.ts'

export const REVIEW_SECONDS = 7 * 24 * 3600
/** A step that ended its worker so often would end the next one as well. */
const ATTEMPTS_MAX = 5

/** Returns the seconds until the import has to be looked at again; undefined once nothing is left to do. */
export async function workOnReview(deps: ReviewDeps, due: Timer, found: review.ReviewRow): Promise<number | undefined> {
  const step = steps[found.state]
  if (step) {
    if (due.attempts > ATTEMPTS_MAX) await fail(deps, due, found.state, OUR_FAULT)
    else await attempt(deps, due, found.state, () => step(deps, due, found))
    return REVIEW_SECONDS
  }
  const left = REVIEW_SECONDS - found.idleSeconds
  if (isOpen(found.state) && left > 0) return Math.ceil(left)
  if (isOpen(found.state)) await fail(deps, due, found.state, 'The import was not applied within 7 days.')
  if (found.state === 'succeeded' && left > 0) return Math.ceil(left)
  await deps.inProject(due.project as ProjectId, (db) => review.deleteRows(db, due.project as ProjectId, due.id))
  return undefined
}

const OUR_FAULT = 'The import could not be finished; the problem is on our side. Please try again.'

type Step = (deps: ReviewDeps, due: Timer, found: review.ReviewRow) => Promise<void>

/** Those in which a worker has something to do. */
const steps: Readonly<Partial<Record<ImportState, Step>>> = {
  reading: readFile,
  judging: judgeAll,
  running: applyAll,
  undoing: undoAll,
}

/** A member has to act. */
const isOpen = (state: ImportState): boolean => state === 'mapping' || state === 'reviewing' || state === 'uploading'

async function attempt(deps: ReviewDeps, due: Timer, state: ImportState, step: () => Promise<void>): Promise<void> {
  try {
    await step()
  } catch (error) {
    if (error instanceof UnfitFile || error instanceof Refusal) await fail(deps, due, state, error.message)
    else if (error instanceof Outdated) await reviewAgain(deps, due, error.message)
    else throw error
  }
}

/** An undo that cannot be finished leaves the import applied; everything else ends it. */
const fail = ({ inProject }: ReviewDeps, due: Timer, from: ImportState, reason: string): Promise<void> =>
  inProject(due.project as ProjectId, async (db) => {
    const project = due.project as ProjectId
    if ((await review.lock(db, project, due.id))?.state !== from) return
    await review.setState(db, project, due.id, from === 'undoing' ? 'succeeded' : 'failed', reason)
    if (from === 'undoing') return
    const detail = { bad: 0 }
    await recordAudit(db, project, { actor: 'petstore', action: 'import_failed', subject: due.id, detail })
  })

/** Judged again at once, so that the review shows what has changed. */
async function reviewAgain(deps: ReviewDeps, due: Timer, reason: string): Promise<void> {
  const project = due.project as ProjectId
  const found = await deps.inProject(project, async (db) => {
    const locked = await review.lock(db, project, due.id)
    if (locked?.state !== 'running') return undefined
    await review.setState(db, project, due.id, 'judging', reason)
    return review.find(db, project, due.id)
  })
  if (found) await judgeAll(deps, due, found)
}
