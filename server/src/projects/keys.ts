// The life of API keys: made (shown once, only a digest is kept), rotated with
// an overlap, revoked. Each change announces itself, so that running processes
// forget what they hold of the key; they would within a second anyway.

import { scopes as allScopes, type Scope } from '@petstore/contract/operations'
import { Refusal } from '../foundation/refusal.ts'
import * as directory from './directory.ts'
import { digestOf, displayOf, makeKey, type KeyKind } from './key-format.ts'
import * as queries from './queries.ts'
import type { KeyRow } from './queries.ts'
import type { InProject, ProjectId } from './scope.ts'

export type KeyDeps = {
  inProject: InProject
  kind: KeyKind
  newId: (kind: string) => string
  randomBytes: (count: number) => Uint8Array
}

export type KeyWish = { label: string; scopes?: readonly Scope[] | undefined; expiresAt?: Date | null | undefined }

/** The key itself is in here and nowhere else: whoever made it sees it once. */
export type FreshKey = { key: string; row: KeyRow }

const labelForm = /^.{1,100}$/su

export async function createKey(deps: KeyDeps, project: ProjectId, wish: KeyWish): Promise<FreshKey> {
  if (!labelForm.test(wish.label)) throw new Refusal('invalid_field', 'The label of a key has 1 to 100 characters.')
  const { key, row } = draftKey(deps, wish)
  return deps.inProject(project, async (db) => {
    await directory.addKey(db, row.digest, project, row.id)
    return { key, row: await queries.insertKey(db, project, row) }
  })
}

export const OVERLAP_SECONDS_DEFAULT = 24 * 60 * 60
export const OVERLAP_SECONDS_MAX = 30 * 24 * 60 * 60

/** A new key with the scopes of the old one, which lives on for the overlap and then expires. */
export function rotateKey(
  deps: KeyDeps,
  project: ProjectId,
  id: string,
  overlapSeconds: number = OVERLAP_SECONDS_DEFAULT,
): Promise<FreshKey & { old: KeyRow }> {
  return deps.inProject(project, async (db) => {
    const old = await queries.expireKey(db, project, id, overlapSeconds)
    if (!old) throw new Refusal('not_found', `No usable key ${id} in this project.`)
    const { key, row } = draftKey(deps, { label: old.label, scopes: old.scopes })
    await directory.addKey(db, row.digest, project, row.id)
    const stored = await queries.insertKey(db, project, row)
    await directory.announceKeyChange(db, old.digest)
    return { key, row: stored, old }
  })
}

export function revokeKey({ inProject }: Pick<KeyDeps, 'inProject'>, project: ProjectId, id: string): Promise<KeyRow> {
  return inProject(project, async (db) => {
    const row = await queries.revokeKey(db, project, id)
    if (!row) throw new Refusal('not_found', `No key ${id} in this project.`)
    await directory.announceKeyChange(db, row.digest)
    return row
  })
}

function draftKey({ kind, newId, randomBytes }: KeyDeps, { label, scopes, expiresAt }: KeyWish) {
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
  }
  return { key, row }
}
