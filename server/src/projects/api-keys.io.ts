// Creates, rotates and revokes API keys. A key is shown once and only its digest is
// stored; rotation has an overlap. Each change sends a notification, by a trigger, so
// that running processes drop the key from their caches within a second; and it records
// an audit event in the same transaction.

import { scopes as allScopes, type Scope } from '@petstore-platform/contract/operations'
import { OVERLAP_SECONDS_DEFAULT, OVERLAP_SECONDS_MAX } from '@petstore-platform/contract/platform/keys'
import type { PlanName } from '@petstore-platform/contract/platform/projects'
import type { KeyChoice } from '@petstore-platform/contract/platform/members'
import { isAccountId, type AccountId } from '../accounts/account-queries.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import * as directory from './directory.io.ts'
import { digestOf, displayOf, makeKey, type KeyKind } from '../foundation/key-format.ts'
import { memberNotifier } from './notify.io.ts'
import type { ProjectContext } from './project-context.ts'
import * as queries from './project-queries.ts'
import type { KeyRow, ProjectRow } from './project-queries.ts'
import type { ProjectId } from './scope.io.ts'

export type KeyContext = Pick<ProjectContext, 'inProject' | 'newId' | 'randomBytes'> & {
  kind: KeyKind
  /** Undefined if no mail is sent. */
  queueMail?: QueueMail<'api_key_created'> | undefined
}

export type KeyWish = {
  label: string
  scopes?: readonly Scope[] | undefined
  expiresAt?: Date | null | undefined
}

/** The only place that holds the key itself: its creator sees it once. */
export type FreshKey = { key: string; row: KeyRow }

/** The actor. A person is bound by the plan of the project; an operator is not. */
export type KeyActor = {
  actor: string
  /** The error if one key more exceeds the plan; undefined if it fits. */
  overLimit?: (plan: PlanName, used: number) => Error | undefined
}

const operator: KeyActor = { actor: 'operator' }

const labelForm = /^.{1,100}$/su

export async function createKey(
  context: KeyContext,
  project: ProjectId,
  wish: KeyWish,
  by: KeyActor = operator,
): Promise<FreshKey> {
  if (!labelForm.test(wish.label))
    throw new Refusal('invalid_field', 'The label of a key must have 1 to 100 characters.')
  const draft = draftKey(context, wish, by)
  return context.inProject(project, async (db) => {
    const held = await lockForLimit(db, project, by)
    if (held) refuseFull(held, by, (await queries.usageOf(db, project)).keys)
    const row = await keep(db, project, draft.row)
    const { label, scopes } = row
    await queries.recordAudit(db, project, {
      actor: by.actor,
      action: 'key_created',
      subject: row.id,
      detail: { label, scopes },
    })
    await notifyOwners(context, db, project, row, by)
    return { key: draft.key, row }
  })
}

const notifyOwners = async (
  { queueMail }: KeyContext,
  db: Db,
  project: ProjectId,
  { id }: KeyRow,
  { actor }: KeyActor,
) => {
  if (!queueMail) return
  const subject = { key: id, ...(actor !== 'operator' && { actor }) }
  await memberNotifier(queueMail)(db, project, { kind: 'api_key_created', roles: ['owner'], subject })
}

export { OVERLAP_SECONDS_DEFAULT, OVERLAP_SECONDS_MAX }

export type RotatedKey = FreshKey & { old: KeyRow }

/** A new key with the scopes of the old one, which stays valid for the overlap and then expires. */
export async function rotateKey(
  context: KeyContext,
  project: ProjectId,
  id: string,
  overlapSeconds: number = OVERLAP_SECONDS_DEFAULT,
): Promise<RotatedKey> {
  const rotated = await rotateIfUsable(context, project, id, overlapSeconds, operator)
  if (!rotated) throw new Refusal('not_found', `No usable key ${id} in this project.`)
  return rotated
}

/** Undefined if there is no such key, or if it is no longer accepted. */
export function rotateIfUsable(
  context: KeyContext,
  project: ProjectId,
  id: string,
  overlapSeconds: number,
  by: KeyActor,
): Promise<RotatedKey | undefined> {
  return context.inProject(project, async (db) => {
    const held = await lockForLimit(db, project, by)
    const old = await queries.expireKey(db, project, id, overlapSeconds)
    if (!old) return undefined
    // A project at the limit of its plan may still rotate a key. The old one is about to expire and is not
    // counted; but repeated rotation must not exceed the limit.
    if (held) refuseFull(held, by, await queries.countLastingKeys(db, project, OVERLAP_SECONDS_MAX))
    const { key, row: draft } = draftKey(context, { label: old.label, scopes: old.scopes }, by)
    const row = await keep(db, project, draft)
    await queries.recordAudit(db, project, {
      actor: by.actor,
      action: 'key_rotated',
      subject: id,
      detail: { label: row.label, newKey: row.id, overlapSeconds },
    })
    await notifyOwners(context, db, project, row, by)
    return { key, row, old }
  })
}

export async function revokeKey(
  context: Pick<KeyContext, 'inProject'>,
  project: ProjectId,
  id: string,
): Promise<KeyRow> {
  const row = await revokeIfThere(context, project, id, operator)
  if (!row) throw new Refusal('not_found', `No key ${id} in this project.`)
  return row
}

/** Undefined if there is no such key. One that was revoked before stays unchanged. */
export function revokeIfThere(
  { inProject }: Pick<KeyContext, 'inProject'>,
  project: ProjectId,
  id: string,
  { actor }: KeyActor,
): Promise<KeyRow | undefined> {
  return inProject(project, (db) => revoke(db, project, id, actor))
}

async function revoke(db: Db, project: ProjectId, id: string, actor: string): Promise<KeyRow | undefined> {
  const found = await queries.revokeKey(db, project, id)
  if (!found) return undefined
  const { isNews, ...row } = found
  if (isNews) {
    await queries.recordAudit(db, project, { actor, action: 'key_revoked', subject: id, detail: { label: row.label } })
  }
  return row
}

/** What became of the active keys of a member who may no longer create any; empty if there were none. */
export type SettledKeys = { keysKept?: string[]; keysRevoked?: string[] }

/** Keeps or revokes the active keys that the member created. Refuses to choose for the caller. */
export async function settleKeysOf(
  db: Db,
  project: ProjectId,
  creator: AccountId,
  { choice, actor }: { choice: KeyChoice | undefined; actor: string },
): Promise<SettledKeys> {
  const ids = await queries.activeKeysOf(db, project, creator)
  if (ids.length === 0) return {}
  if (choice === undefined) throw new Refusal('key_choice_required')
  if (choice === 'keep') return { keysKept: ids }
  for (const id of ids) await revoke(db, project, id, actor)
  return { keysRevoked: ids }
}

/** Locks the project before counting, so that two concurrent requests cannot both take the last slot. */
async function lockForLimit(db: Db, project: ProjectId, { overLimit }: KeyActor): Promise<ProjectRow | undefined> {
  if (!overLimit) return undefined
  const held = await queries.lockProject(db, project)
  if (!held) throw new Refusal('not_found', 'No project with this slug.')
  return held
}

function refuseFull({ plan }: ProjectRow, { overLimit }: KeyActor, used: number): void {
  const refusal = overLimit?.(plan, used)
  if (refusal) throw refusal
}

async function keep(db: Db, project: ProjectId, key: queries.NewKey): Promise<KeyRow> {
  await directory.addKey(db, key.digest, project, key.id)
  return queries.insertKey(db, project, key)
}

function draftKey(
  { kind, newId, randomBytes }: KeyContext,
  { label, scopes, expiresAt }: KeyWish,
  { actor }: KeyActor,
) {
  const key = makeKey(kind, randomBytes)
  const { prefix, lastFour } = displayOf(key)
  const row: queries.NewKey = {
    id: newId('key'),
    label,
    displayPrefix: prefix,
    lastFour,
    digest: digestOf(key),
    scopes: [...(scopes ?? allScopes)],
    expiresAt: expiresAt ?? null,
    createdBy: isAccountId(actor) ? actor : null,
  }
  return { key, row }
}
