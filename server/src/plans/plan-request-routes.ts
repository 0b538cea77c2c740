// Routes for requests for another plan on `/platform/v1`.

import * as contract from '@petstore-platform/contract/platform/plan-requests'
import type { FastifyInstance } from 'fastify'
import { mount } from '../foundation/http/operation.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import type { Platform } from '../projects/platform.ts'
import { recordAudit } from '../projects/project-queries.ts'
import * as queries from './plan-request-queries.ts'

/** `queueMail`: undefined without a relay, or without the address of an operator who could be asked. */
export function planRequestRoutes(
  app: FastifyInstance,
  { inProject, within, newId }: Platform,
  queueMail: QueueMail<'plan_requested'> | undefined,
): void {
  mount(app, contract.getPlanRequest, within, async ({ caller: { project } }) => {
    const latest = await inProject(project, (db) => queries.latestRequest(db, project))
    return { json: JSON.stringify({ latest: latest ?? null, canAsk: queueMail !== undefined }) }
  })

  mount(app, contract.requestPlan, within, async ({ caller, body: { plan, message = '' } }) => {
    if (!queueMail) throw new Refusal('mail_unavailable')
    const { project, account, slug } = caller
    return inProject(project, async (db) => {
      const request = { id: newId('plr'), plan, message, requestedBy: account }
      const row = await queries.insertRequest(db, project, request)
      if (!row) throw new Refusal('wrong_state', 'The operator has not answered the last request yet.')
      await queueMail(db, { kind: 'plan_requested', recipient: row.id, project })
      const detail = { plan, request: row.id }
      await recordAudit(db, project, { actor: account, action: 'plan_requested', subject: slug, detail })
      return { json: JSON.stringify(row) }
    })
  })
}
