// Queries for requests for another plan, inside one project.

import type { PlanAnswer } from '@petstore-platform/contract/platform/plan-requests'
import type { PlanName } from '@petstore-platform/contract/platform/projects'
import type { AccountId } from '../accounts/account-queries.ts'
import { statement, queryFirst, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'

export type PlanRequestRow = {
  id: string
  plan: PlanName
  message: string
  requestedBy: AccountId
  requestedAt: Date
  answer: PlanAnswer | null
  reason: string | null
  answeredAt: Date | null
}

const requestColumns = `id, plan, message, requested_by as "requestedBy", requested_at as "requestedAt",
     answer, reason, answered_at as "answeredAt"`

const insertRequestRow = statement<
  PlanRequestRow,
  [project: ProjectId, id: string, plan: PlanName, message: string, by: AccountId]
>(
  'insert-plan-request',
  `insert into plan_requests (project_id, id, plan, message, requested_by)
   values ($1, $2, $3, $4, $5)
   on conflict (project_id) where answer is null do nothing
   returning ${requestColumns}`,
)

/** Undefined if another request of the project is not answered yet. */
export const insertRequest = async (
  db: Db,
  project: ProjectId,
  { id, plan, message, requestedBy }: Pick<PlanRequestRow, 'id' | 'plan' | 'message' | 'requestedBy'>,
) => (await db(insertRequestRow, project, id, plan, message, requestedBy))[0]

export const findRequest = queryFirst<PlanRequestRow, [project: ProjectId, id: string]>(
  'find-plan-request',
  `select ${requestColumns}
   from plan_requests
   where project_id = $1 and id = $2`,
)

export const latestRequest = queryFirst<PlanRequestRow, [project: ProjectId]>(
  'find-latest-plan-request',
  `select ${requestColumns}
   from plan_requests
   where project_id = $1
   order by requested_at desc, id desc
   limit 1`,
)

const answerRequestRow = statement<
  Pick<PlanRequestRow, 'id' | 'plan'>,
  [project: ProjectId, answer: PlanAnswer, reason: string | null]
>(
  'answer-plan-request',
  `update plan_requests
   set answer = $2, reason = $3, answered_at = now()
   where project_id = $1 and answer is null
   returning id, plan`,
)

/** Undefined if no request is open. */
export const answerRequest = async (db: Db, project: ProjectId, answer: PlanAnswer, reason: string | null = null) =>
  (await db(answerRequestRow, project, answer, reason))[0]
