// Background work for imports, whatever their kind: the step that the state of an import asks for, until it is concluded.
// What a member can do something about ends the import with a reason, everything else is tried again. What no member
// continues is given up in the end, and then its file and its rows are deleted.

import type { ImportState } from '@petstore-platform/contract/platform/import-shapes'
import type { Timer, TimerWork } from '../foundation/postgres/timer-leases.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { InProject, ProjectId } from '../projects/scope.io.ts'
import { addAll, UnfitRows } from './add-animals.io.ts'
import { applyAll, Outdated } from './apply.io.ts'
import type { Tally } from './changes.ts'
import * as imports from './import-queries.ts'
import { givenUp, secondsLeft, waitsFor } from './lifecycle.ts'
import { judgeAll, readFile } from './review.io.ts'
import { deleteRows } from './row-queries.ts'
import { UnfitFile } from './spreadsheet/limits.ts'
import { CLAIM_SECONDS, conclude, type ReviewDeps, type StepDeps } from './step.io.ts'
import { undoAll } from './undo.io.ts'

/** An import that ended its worker so often would end the next one as well. In a review a member waits for it. */
const ATTEMPTS_MAX = { plain: 10, reviewed: 5 }

type ImportDeps = StepDeps & {
  /** Of imports that are reviewed. */
  reviewing?: Omit<ReviewDeps, keyof StepDeps>
}

export const importWork = (deps: ImportDeps): TimerWork => ({
  claimSeconds: CLAIM_SECONDS,
  async work(due) {
    const project = due.project as ProjectId
    const find = () => deps.inProject(project, (db) => imports.find(db, project, due.id))
    const found = await find()
    if (!found) return undefined
    if (waitsFor[found.state] === 'worker') await attempt(deps, due, found)
    else if (waitsFor[found.state] === 'member' && secondsLeft(found) === 0)
      await fail(deps, due, found, givenUp(found.state))
    const after = await find()
    if (!after) return undefined
    if (waitsFor[after.state] === 'worker') return 0
    // Until then the file can be read again.
    if (after.finishedAt) await deleteParts(deps.inProject, project, due.id)
    const left = secondsLeft(after)
    if (left > 0) return left
    await deps.inProject(project, (db) => deleteRows(db, project, due.id))
    return undefined
  },
})

type Step = (deps: ReviewDeps, due: Timer, found: imports.WholeImport) => Promise<void>

const steps: Readonly<Partial<Record<ImportState, Step>>> = {
  reading: readFile,
  judging: judgeAll,
  running: applyAll,
  undoing: undoAll,
}

async function attempt(deps: ImportDeps, due: Timer, found: imports.WholeImport): Promise<void> {
  if (due.attempts > (found.isReviewed ? ATTEMPTS_MAX.reviewed : ATTEMPTS_MAX.plain))
    return fail(deps, due, found, OUR_FAULT)
  try {
    if (!found.isReviewed) return await addAll(deps, due, found)
    if (!deps.reviewing) throw new Error('this worker reviews no imports')
    await steps[found.state]?.({ ...deps, ...deps.reviewing }, due, found)
  } catch (error) {
    if (error instanceof Outdated) await outdate(deps, due, error.message)
    else if (error instanceof UnfitRows) await fail(deps, due, found, error.message, error.tally)
    else if (error instanceof UnfitFile || error instanceof Refusal) await fail(deps, due, found, error.message)
    else throw error
  }
}

const OUR_FAULT = 'The import could not be finished; the problem is on our side. Please try again.'
const nothingRead: Tally = { lines: 0, bad: 0, badLines: [] }

async function fail(
  deps: StepDeps,
  due: Timer,
  { state, isReviewed }: imports.WholeImport,
  reason: string,
  tally: Tally = nothingRead,
): Promise<void> {
  const isTallied = !isReviewed || state === 'uploading'
  await deps.inProject(due.project as ProjectId, (db) =>
    conclude(deps, db, due, { kind: 'failed', reason, ...(isTallied && { tally }) }),
  )
}

/** Judged again at once, so that the review shows what has changed. */
const outdate = (deps: StepDeps, due: Timer, reason: string) =>
  deps.inProject(due.project as ProjectId, (db) => conclude(deps, db, due, { kind: 'outdated', reason }))

/** Few at a time: a part is large. */
const PARTS_AT_ONCE = 20

async function deleteParts(inProject: InProject, project: ProjectId, id: string): Promise<void> {
  const last = (await inProject(project, (db) => imports.lastPart(db, project, id))) ?? 0
  for (let from = 1; from <= last; from += PARTS_AT_ONCE) {
    await inProject(project, (db) => imports.deleteParts(db, project, id, from, from + PARTS_AT_ONCE))
  }
}
