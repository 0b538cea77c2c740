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
import { CLAIM_SECONDS, conclude, type ImportContext, type ReviewContext } from './step.io.ts'
import { undoAll } from './undo.io.ts'

/** An import that ended its worker so often would end the next one as well. In a review a member waits for it. */
const ATTEMPTS_MAX = { plain: 10, reviewed: 5 }

/** The rest of the context of reviews. */
type Reviewing = Omit<ReviewContext, keyof ImportContext>

/** Without `reviewing`, a worker of tests that add animals as they are sent. */
export const importWork = (context: ImportContext, reviewing?: Reviewing): TimerWork => ({
  claimSeconds: CLAIM_SECONDS,
  async work(due) {
    const project = due.project as ProjectId
    const find = () => context.inProject(project, (db) => imports.find(db, project, due.id))
    const found = await find()
    if (!found) return undefined
    if (waitsFor[found.state] === 'worker') await attempt(context, reviewing, due, found)
    else if (waitsFor[found.state] === 'member' && secondsLeft(found) === 0)
      await fail(context, due, found, givenUp(found.state))
    const after = await find()
    if (!after) return undefined
    if (waitsFor[after.state] === 'worker') return 0
    // Until then the file can be read again.
    if (after.finishedAt) await deleteParts(context.inProject, project, due.id)
    const left = secondsLeft(after)
    if (left > 0) return left
    await context.inProject(project, (db) => deleteRows(db, project, due.id))
    return undefined
  },
})

type Step = (context: ReviewContext, due: Timer, found: imports.WholeImport) => Promise<void>

const steps: Readonly<Partial<Record<ImportState, Step>>> = {
  reading: readFile,
  judging: judgeAll,
  running: applyAll,
  undoing: undoAll,
}

async function attempt(
  context: ImportContext,
  reviewing: Reviewing | undefined,
  due: Timer,
  found: imports.WholeImport,
): Promise<void> {
  if (due.attempts > (found.isReviewed ? ATTEMPTS_MAX.reviewed : ATTEMPTS_MAX.plain))
    return fail(context, due, found, OUR_FAULT)
  try {
    if (!found.isReviewed) return await addAll(context, due, found)
    if (!reviewing) throw new Error('this worker reviews no imports')
    await steps[found.state]?.({ ...context, ...reviewing }, due, found)
  } catch (error) {
    if (error instanceof Outdated) await outdate(context, due, error.message)
    else if (error instanceof UnfitRows) await fail(context, due, found, error.message, error.tally)
    else if (error instanceof UnfitFile || error instanceof Refusal) await fail(context, due, found, error.message)
    else throw error
  }
}

const OUR_FAULT = 'The import could not be finished; the problem is on our side. Please try again.'
const nothingRead: Tally = { lines: 0, bad: 0, badLines: [] }

async function fail(
  context: ImportContext,
  due: Timer,
  { state, isReviewed }: imports.WholeImport,
  reason: string,
  tally: Tally = nothingRead,
): Promise<void> {
  const isTallied = !isReviewed || state === 'uploading'
  await context.inProject(due.project as ProjectId, (db) =>
    conclude(context, db, due, { kind: 'failed', reason, ...(isTallied && { tally }) }),
  )
}

/** Judged again at once, so that the review shows what has changed. */
const outdate = (context: ImportContext, due: Timer, reason: string) =>
  context.inProject(due.project as ProjectId, (db) => conclude(context, db, due, { kind: 'outdated', reason }))

/** Few at a time: a part is large. */
const PARTS_AT_ONCE = 20

async function deleteParts(inProject: InProject, project: ProjectId, id: string): Promise<void> {
  const last = (await inProject(project, (db) => imports.lastPart(db, project, id))) ?? 0
  for (let from = 1; from <= last; from += PARTS_AT_ONCE) {
    await inProject(project, (db) => imports.deleteParts(db, project, id, from, from + PARTS_AT_ONCE))
  }
}
