// The audit trail of a project on `/platform/v1`. The actor is stored as an identifier; the
// current name is read from the accounts.

import * as contract from '@petstore-platform/contract/platform/audit'
import type { ActorKind } from '@petstore-platform/contract/platform/audit'
import type { FastifyInstance } from 'fastify'
import { namesOf, type AccountId } from '../accounts/account-queries.ts'
import { mount } from '../foundation/http/operation.io.ts'
import { pageOf } from '../foundation/http/list-response.ts'
import type { Platform } from './platform.ts'
import * as queries from './project-queries.ts'
import type { AuditRow } from './project-queries.ts'

export function auditRoutes(app: FastifyInstance, { database, inProject, baseUrl, within }: Platform): void {
  mount(app, contract.listAudit, within, ({ caller: { project, slug }, query: { limit, cursor } }) =>
    pageOf({ url: `${baseUrl}/projects/${slug}/audit`, limit, cursor }, async (before, count) => {
      const rows = await inProject(project, (db) => queries.listAudit(db, project, before, count))
      const names = await namesOf(
        database.run,
        rows.map(({ actor }) => actor).filter((actor) => isAccount(actor)),
      )
      return { json: rows.map((row) => entryJson(row, names)).join(','), count: rows.length }
    }),
  )
}

const isAccount = (actor: string): actor is AccountId => actor.startsWith('acc_')

type Actor = { kind: ActorKind; id: string | null; name: string | null }

const actorOf = (actor: string, names: ReadonlyMap<AccountId, string>): Actor =>
  isAccount(actor)
    ? { kind: 'account', id: actor, name: names.get(actor) ?? null }
    : { kind: actor as ActorKind, id: null, name: null }

const entryJson = ({ id, at, actor, action, subject, detail }: AuditRow, names: ReadonlyMap<AccountId, string>) =>
  `{"id":${id},"at":${JSON.stringify(at)},"actor":${JSON.stringify(actorOf(actor, names))},` +
  `"action":${JSON.stringify(action)},"subject":${JSON.stringify(subject)},"detail":${detail}}`
