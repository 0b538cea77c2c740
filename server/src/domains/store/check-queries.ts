// The last full check of a domain of one project: SQL. Written only when it differs, so that
// checks without changes cost no more than a timer.

import { statement, type Db } from '../../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import type { Evidence, FirstCheck } from '../observing/evidence.ts'
import type { Judgement } from '../judging/judgement.ts'
import type { Answers } from '../lifecycle/light-check.ts'

export type StoredCheck = { judgement: Judgement; evidence: Evidence }

const findCheckRow = statement<{ judgement: string; evidence: string }, [project: ProjectId, id: string]>(
  'find-domain-check',
  `select judgement, evidence
   from domain_looks
   where project_id = $1 and domain_id = $2`,
)

export const findCheck = async (db: Db, project: ProjectId, id: string): Promise<StoredCheck | undefined> => {
  const [row] = await db(findCheckRow, project, id)
  return row && { judgement: JSON.parse(row.judgement) as Judgement, evidence: JSON.parse(row.evidence) as Evidence }
}

const listJudgementRows = statement<{ id: string; judgement: string }, [project: ProjectId, ids: string[]]>(
  'list-domain-judgements',
  `select domain_id as id, judgement
   from domain_looks
   where project_id = $1 and domain_id = any($2)`,
)

/** For those domains that have been checked; without the evidence, which is large. */
export const listJudgements = async (db: Db, project: ProjectId, ids: string[]): Promise<Map<string, Judgement>> =>
  new Map((await db(listJudgementRows, project, ids)).map((row) => [row.id, JSON.parse(row.judgement) as Judgement]))

export type CachedCheck = { judgement: string; answers: Answers; firstCheck: FirstCheck | null }

const findCachedRow = statement<
  { judgement: string; answers: string; firstCheck: string | null },
  [project: ProjectId, id: string]
>(
  'find-cached-check',
  `select judgement, answers, first_look as "firstCheck"
   from domain_looks
   where project_id = $1 and domain_id = $2`,
)

/** The parts of the last check that the next one needs; all but the evidence, which is large. */
export const findCachedCheck = async (db: Db, project: ProjectId, id: string): Promise<CachedCheck | undefined> => {
  const [row] = await db(findCachedRow, project, id)
  if (!row) return undefined
  const { judgement, answers, firstCheck } = row
  return {
    judgement,
    answers: JSON.parse(answers) as Answers,
    firstCheck: firstCheck === null ? null : (JSON.parse(firstCheck) as FirstCheck),
  }
}

const saveCheckRow = statement<
  never,
  [project: ProjectId, id: string, at: Date, judgement: string, evidence: string, answers: string, firstCheck: string]
>(
  'save-domain-check',
  `insert into domain_looks (project_id, domain_id, at, judgement, evidence, answers, first_look)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (project_id, domain_id) do update
   set at = excluded.at, judgement = excluded.judgement, evidence = excluded.evidence, answers = excluded.answers
   where domain_looks.project_id = $1`,
)

/** The first check is kept permanently; everything else is of the last check. */
export const saveCheck = (
  db: Db,
  project: ProjectId,
  id: string,
  check: { at: number; judgement: string; evidence: string; answers: string; firstCheck: string },
) => db(saveCheckRow, project, id, new Date(check.at), check.judgement, check.evidence, check.answers, check.firstCheck)
