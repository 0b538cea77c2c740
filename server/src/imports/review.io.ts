// The steps of an import that is reviewed, taken by a worker: its file is read into rows, its rows are judged. Both can be
// repeated: a worker that died leaves rows, and the next one begins again.

import type { OutcomeCounts } from '@petstore-platform/contract/platform/import-shapes'
import { lockTimer, type Timer } from '../foundation/postgres/timers.io.ts'
import { statement, type Database, type Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { Clock } from '../foundation/time.ts'
import type { PlanRules } from '../projects/plan-rules.ts'
import { findProject } from '../projects/project-queries.ts'
import type { InProject, ProjectId } from '../projects/scope.io.ts'
import { refuseFullStore } from '../projects/stored-usage.io.ts'
import type { AnimalRequests, SetStatuses } from '../animals/animal-requests.ts'
import { judgeWith, openingOf, type Judge, type JudgedSource } from './judging.io.ts'
import { readPart } from './import-queries.ts'
import * as review from './review-queries.ts'
import type { OpenRowJudge, RowJudge } from './row-judge.ts'
import { UnfitFile } from './spreadsheet/limits.ts'
import type { ReadSheet } from './spreadsheet/process.io.ts'

export type ReviewDeps = {
  database: Pick<Database, 'run'>
  inProject: InProject
  now: Clock
  requests: AnimalRequests
  setStatuses: SetStatuses
  readSheet: ReadSheet
  openRowJudge: OpenRowJudge
  plans: PlanRules
}

export const CLAIM_SECONDS = 60
const EXTENDED_EVERY_MS = 5000

/** Rows that are judged together. */
export const BATCH_ROWS = 1000

/** Returns a function that extends the claim if it is time. */
export function claimKeeper({ database, now }: Pick<ReviewDeps, 'database' | 'now'>, due: Timer): () => Promise<void> {
  let last = now()
  return async () => {
    if (now() - last < EXTENDED_EVERY_MS) return
    last = now()
    if (!(await lockTimer(database.run, due, CLAIM_SECONDS))) throw new Error(`another worker has taken ${due.id}`)
  }
}

/** Rejects with an `UnfitFile` if it cannot be read. */
export async function readFile(deps: ReviewDeps, due: Timer, { parts, sheet }: review.ReviewRow): Promise<void> {
  const { inProject } = deps
  const project = due.project as ProjectId
  const keep = claimKeeper(deps, due)
  const plan = await inProject(project, async (db) => {
    await review.deleteRows(db, project, due.id)
    return (await findProject(db, project))?.plan ?? 'free'
  })
  const rowsMax = deps.plans.most(plan, 'importRows')
  const { table, reading } = await deps.readSheet(
    partsOf(inProject, project, due.id, parts ?? 0),
    { sheet: sheet ?? undefined, rowsMax, today: dayOf(deps.now) },
    async (animals) => {
      await inProject(project, async (db) => {
        await review.addRows(db, project, due.id, animals)
        await refuseFullStore(db, project, deps.plans)
      }).catch(asUnfit)
      await keep()
    },
  )
  await inProject(project, (db) => review.writeTable(db, project, due.id, table, reading))
}

/** A member can do something about it. */
function asUnfit(error: unknown): never {
  throw error instanceof Refusal ? new UnfitFile(error.message) : error
}

async function* partsOf(inProject: InProject, project: ProjectId, id: string, parts: number): AsyncGenerator<Buffer> {
  for (let number = 1; number <= parts; number += 1) {
    const bytes = await inProject(project, (db) => readPart(db, project, id, number, 1, PART_BYTES))
    if (!bytes) throw new Error(`part ${number} of ${id} is gone`)
    yield bytes
  }
}

const PART_BYTES = 1_048_576

export const noCounts = (): OutcomeCounts => ({ create: 0, update: 0, unchanged: 0, problem: 0, skip: 0 })

/** The process that judges starts before a transaction waits for it, and ends with the work. */
export async function withJudge(
  { inProject, openRowJudge, requests, now }: ReviewDeps,
  project: ProjectId,
  found: review.ReviewRow,
  work: (judge: Judge, rowJudge: RowJudge) => Promise<void>,
): Promise<void> {
  const opening = await inProject(project, (db) => openingOf(db, project, found, dayOf(now)))
  const rowJudge = await openRowJudge(opening)
  try {
    await work(judgeWith(rowJudge, project, opening, requests), rowJudge)
  } finally {
    await rowJudge.end()
  }
}

export const judgeAll = (deps: ReviewDeps, due: Timer, found: review.ReviewRow): Promise<void> =>
  withJudge(deps, due.project as ProjectId, found, (judge, rowJudge) => judgeRows(deps, due, judge, rowJudge))

async function judgeRows(deps: ReviewDeps, due: Timer, judge: Judge, rowJudge: RowJudge): Promise<void> {
  const { inProject } = deps
  const project = due.project as ProjectId
  const keep = claimKeeper(deps, due)
  const counts = noCounts()
  let after: number | undefined = 0
  while (after !== undefined) {
    const from: number = after
    const found = await inProject(project, async (db) => {
      const rows = await review.readRows(db, project, due.id, from, BATCH_ROWS)
      return judge.find(db, rows, false)
    })
    // Without a transaction: the process has a low priority, and others need the connection. Applying judges them again.
    const judged = await judge.judge(found)
    await inProject(project, (db) => writeAll(db, project, due.id, judged))
    for (const { judgement } of judged) counts[judgement.outcome] += 1
    after = found.length === BATCH_ROWS ? found.at(-1)?.row : undefined
    await keep()
  }
  const values = await rowJudge.values()
  await inProject(project, (db) => review.writeJudged(db, project, due.id, values, counts))
}

/**
 * The transaction that applies an import waits while progress is written on another connection, which may itself have to
 * wait, and while a process judges rows.
 */
export const bePatient = statement<never, []>(
  'be-patient',
  `select set_config('idle_in_transaction_session_timeout', '60000', true)`,
)

export const dayOf = (now: Clock): string => new Date(now()).toISOString().slice(0, 10)

export const writeAll = async (
  db: Db,
  project: ProjectId,
  id: string,
  judged: readonly JudgedSource[],
): Promise<void> => {
  if (judged.length === 0) return
  const rows = judged.map(({ row, target, judgement }) => {
    const { outcome, problems, changes, photos } = judgement
    return { row, outcome, petId: target ? String(target.id) : null, problems, changes, photos }
  })
  await review.judgeRows(db, project, id, rows)
}
