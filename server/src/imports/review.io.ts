// The steps of an import that is reviewed, taken by a worker: its file is read into rows, its rows are judged. Both can be
// repeated: a worker that died leaves rows, and the next one begins again.

import type { OutcomeCounts } from '@petstore-platform/contract/platform/import-shapes'
import { PART_BYTES_MAX } from '@petstore-platform/contract/platform/imports'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import type { Timer } from '../foundation/postgres/timer-leases.io.ts'
import type { Clock } from '../foundation/time.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { planOf, refuseFullStore } from '../projects/stored-usage.io.ts'
import { readPart, type WholeImport } from './import-queries.ts'
import { judgeWith, openingOf, type Judge, type JudgedSource } from './judging.io.ts'
import type { RowJudge } from './row-judge.ts'
import * as rows from './row-queries.ts'
import { claimExtender, conclude, inBatches, piecesOf, type ReviewContext } from './step.io.ts'

/** Rejects with an `UnfitFile` or a refusal if it cannot be read. */
export async function readFile(context: ReviewContext, due: Timer, found: WholeImport): Promise<void> {
  const { inProject } = context
  const project = due.project as ProjectId
  const extendClaim = claimExtender(context, due)
  const plan = await inProject(project, async (db) => {
    await rows.deleteRows(db, project, due.id)
    return planOf(db, project)
  })
  const rowsMax = context.plans.most(plan, 'importRows')
  const parts = piecesOf(found, PART_BYTES_MAX, (number, from) =>
    inProject(project, (db) => readPart(db, project, due.id, number, from, PART_BYTES_MAX)),
  )
  const { table, reading } = await context.readSheet(
    parts,
    { sheet: found.sheet ?? undefined, rowsMax, today: dayOf(context.now) },
    async (animals) => {
      await inProject(project, async (db) => {
        await rows.addRows(db, project, due.id, animals)
        await refuseFullStore(db, project, context.plans)
      })
      await extendClaim()
    },
  )
  await inProject(project, (db) => conclude(context, db, due, { kind: 'table_read', table, reading }))
}

export const noCounts = (): OutcomeCounts => ({ create: 0, update: 0, unchanged: 0, problem: 0, skip: 0 })

/** The process that judges starts before a transaction waits for it, and ends with the work. */
export async function withJudge(
  { inProject, openRowJudge, requests, now }: ReviewContext,
  project: ProjectId,
  found: WholeImport,
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

export const judgeAll = (context: ReviewContext, due: Timer, found: WholeImport): Promise<void> =>
  withJudge(context, due.project as ProjectId, found, (judge, rowJudge) => judgeRows(context, due, judge, rowJudge))

async function judgeRows(context: ReviewContext, due: Timer, judge: Judge, rowJudge: RowJudge): Promise<void> {
  const { inProject } = context
  const project = due.project as ProjectId
  const counts = noCounts()
  const found = inBatches(
    (after, count) =>
      inProject(project, async (db) => {
        const batch = await rows.readRows(db, project, due.id, after, count)
        return judge.find(db, batch, false)
      }),
    claimExtender(context, due),
  )
  for await (const batch of found) {
    // Without a transaction: the process has a low priority, and others need the connection. Applying judges them again.
    const judged = await judge.judge(batch)
    await inProject(project, (db) => writeAll(db, project, due.id, judged))
    for (const { judgement } of judged) counts[judgement.outcome] += 1
  }
  const values = await rowJudge.values()
  await inProject(project, (db) => conclude(context, db, due, { kind: 'judged', values, counts }))
}

export const dayOf = (now: Clock): string => new Date(now()).toISOString().slice(0, 10)

export const writeAll = async (
  db: Db,
  project: ProjectId,
  id: string,
  judged: readonly JudgedSource[],
): Promise<void> => {
  if (judged.length === 0) return
  const written = judged.map(({ row, target, judgement }) => {
    const { outcome, problems, changes, photos } = judgement
    return { row, outcome, petId: target ? String(target.id) : null, problems, changes, photos }
  })
  await rows.judgeRows(db, project, id, written)
}
