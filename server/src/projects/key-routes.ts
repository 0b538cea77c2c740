// Routes for API keys of a project on `/platform/v1`. The key itself is only in the
// response that creates it; a list contains what is stored, and that is not the key.

import * as contract from '@petstore-platform/contract/platform/keys'
import type { FastifyInstance } from 'fastify'
import { mount } from '../foundation/http/operation.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { instantFrom, type Instant } from '../foundation/time.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import type { Member } from './membership.io.ts'
import { createKey, revokeIfThere, rotateIfUsable, type KeyActor, type KeyContext } from './api-keys.io.ts'
import type { Platform } from './platform.ts'
import * as queries from './project-queries.ts'
import type { KeyRow } from './project-queries.ts'

export function keyRoutes(
  app: FastifyInstance,
  platform: Platform,
  queueMail: QueueMail<'api_key_created'> | undefined,
): void {
  const { inProject, now, within, plans } = platform
  const context: KeyContext = { ...platform, queueMail }
  const actorOf = ({ account }: Member): KeyActor => ({
    actor: account,
    overLimit: (plan, used) => plans.overLimit(plan, 'keys', used),
  })

  mount(app, contract.listKeys, within, async ({ caller: { project } }) => {
    const rows = await inProject(project, (db) => queries.listKeysLivingFirst(db, project, contract.KEYS_SHOWN_MAX))
    return { json: JSON.stringify(rows.map(shown)) }
  })

  mount(app, contract.createKey, within, async ({ caller, body: { label, scopes, expiresAt } }) => {
    const options = { label, scopes, expiresAt: endOf(expiresAt ?? null, now()) }
    const { key, row } = await createKey(context, caller.project, options, actorOf(caller))
    return { json: JSON.stringify({ ...shown(row), key }) }
  })

  mount(app, contract.rotateKey, within, async ({ caller, path, body }) => {
    const overlap = body.overlapSeconds ?? contract.OVERLAP_SECONDS_DEFAULT
    const rotated = await rotateIfUsable(context, caller.project, keyIdOf(path), overlap, actorOf(caller))
    if (!rotated) throw new Refusal('not_found', 'No active key with this identifier.')
    const { key, row, old } = rotated
    return { json: JSON.stringify({ ...shown(row), key, old: shown(old) }) }
  })

  mount(app, contract.revokeKey, within, async ({ caller, path }) => {
    const row = await revokeIfThere(context, caller.project, keyIdOf(path), actorOf(caller))
    if (!row) throw new Refusal('not_found', 'No key with this identifier.')
    return {}
  })
}

const keyIdOf = (path: Record<string, string>) => path['keyId'] ?? ''

/** The expiry of a key. One in the past is rejected. */
function endOf(text: string | null, now: Instant): Date | null {
  if (text === null) return null
  const instant = instantFrom(text)
  if (instant === undefined || instant <= now) throw new Refusal('invalid_field', contract.expiresAtFault)
  return new Date(instant)
}

const shown = ({ digest: _, ...row }: KeyRow) => row
