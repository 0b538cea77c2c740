// The only writer of an import's state, for members and for workers: what lifecycle.ts allows, with its timer and its audit
// event in one transaction.

import type { AccountId } from '../accounts/account-queries.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { clearTimer, setTimer } from '../foundation/postgres/timer-leases.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { recordAudit } from '../projects/project-queries.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { auditOf, next, type StatedFact } from './changes.ts'
import * as imports from './import-queries.ts'
import { isByMember, objectionTo, type ImportFact } from './lifecycle.ts'
import { photoFetchTimer } from './photos.ts'

export const importTimer = (project: ProjectId, id: string) => ({ kind: 'import', project, id })

export const importNotFound = () => new Refusal('not_found', 'No import with this identifier.')

/** Locks an import for what a member wants to do, which is refused if it is not possible in its state. */
export async function hold(db: Db, project: ProjectId, id: string, kind: ImportFact): Promise<imports.WholeImport> {
  const held = await imports.lock(db, project, id)
  if (!held) throw importNotFound()
  const objection = objectionTo(held, kind)
  if (objection !== undefined) throw new Refusal('wrong_state', objection)
  return held
}

/** Of an import that the transaction has locked. False if the fact cannot happen: then nothing changes. */
export async function advance(
  db: Db,
  project: ProjectId,
  held: imports.WholeImport,
  fact: StatedFact,
  actor: AccountId | 'petstore' = 'petstore',
): Promise<boolean> {
  const { id } = held
  const step = next(held, fact)
  if (!step) return false
  await imports.write(db, project, id, step)
  if (fact.kind === 'undo_asked') await clearTimer(db, photoFetchTimer(project, id))
  if (isByMember(fact.kind) && step.columns.state !== held.state) await setTimer(db, importTimer(project, id))
  const event = auditOf(fact, step.columns.state)
  if (event) await recordAudit(db, project, { actor, subject: id, ...event })
  return true
}
