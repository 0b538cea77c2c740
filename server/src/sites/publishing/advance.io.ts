// The only writer of a deployment's state, and of the content that visitors get because
// of it. Each step consults the transition table first; a step that is not in it changes
// nothing. To be called inside a transaction, which then is the step.

import type { AuditAction } from '@petstore-platform/contract/platform/audit'
import type { DeploymentState } from '@petstore-platform/contract/platform/deployments'
import type { Db } from '../../foundation/postgres/postgres.io.ts'
import type { QueueMail } from '../../mail/queue.io.ts'
import { isAccountId } from '../../accounts/account-queries.ts'
import { recordAudit } from '../../projects/project-queries.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import { deploymentTransitions, isFinal, type DeploymentFact } from './lifecycle.ts'
import * as queries from './deployment-queries.ts'

export const NOT_SHOWN = 'It was built but not published, because a later version is already published.'

/** The deployment, now being built; undefined if it is finished or does not exist. */
export async function begin(db: Db, project: ProjectId, id: string): Promise<queries.LockedDeployment | undefined> {
  const held = await queries.lockDeployment(db, project, id)
  return held && (await move(db, project, id, held.state, 'begun')) ? held : undefined
}

/** Publishes it in the same transaction, unless a later one is published. */
export async function succeed(db: Db, project: ProjectId, id: string): Promise<void> {
  const held = await queries.lockDeployment(db, project, id)
  if (!held || deploymentTransitions[held.state].succeeded === undefined) return
  const isShown = await queries.publish(db, project, id, held.number)
  await move(db, project, id, held.state, 'succeeded', isShown ? null : NOT_SHOWN)
  await recordOutcome(db, project, id, { action: 'deployment_succeeded', number: held.number, isShown })
}

/** Undefined if this installation sends no mail. */
export type QueueDeploymentMail = QueueMail<'deployment_failed'> | undefined

/** Visitors keep getting the previous content; the member who deployed is notified. */
export async function fail(
  db: Db,
  project: ProjectId,
  id: string,
  reason: string,
  queueMail?: QueueDeploymentMail,
): Promise<void> {
  const held = await queries.lockDeployment(db, project, id)
  if (!held || !(await move(db, project, id, held.state, 'failed', reason))) return
  await recordOutcome(db, project, id, { action: 'deployment_failed', number: held.number, reason })
  if (!queueMail || !isAccountId(held.createdBy)) return
  await queueMail(db, { kind: 'deployment_failed', recipient: held.createdBy, subject: { deployment: id }, project })
}

async function move(
  db: Db,
  project: ProjectId,
  id: string,
  from: DeploymentState,
  fact: DeploymentFact,
  reason: string | null = null,
): Promise<boolean> {
  const state = deploymentTransitions[from][fact]
  if (state === undefined) return false
  await queries.setState(db, project, id, { state, reason, isFinal: isFinal(state) })
  return true
}

type Outcome = { action: AuditAction; number: number } & Record<string, unknown>

const recordOutcome = (db: Db, project: ProjectId, id: string, { action, ...detail }: Outcome) =>
  recordAudit(db, project, { actor: 'petstore', action, subject: id, detail })
