// Routes for what members and visitors are mailed about, on `/platform/v1`.

import * as contract from '@petstore-platform/contract/platform/notifications'
import type { FastifyInstance } from 'fastify'
import { mount } from '../foundation/http/operation.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { Member } from './membership.io.ts'
import * as queries from './notification-queries.ts'
import type { Platform } from './platform.ts'
import { recordAudit } from './project-queries.ts'

export function notificationRoutes(app: FastifyInstance, { inProject, within, sendsMail }: Platform): void {
  const shown = async (db: Db, { project, account, role }: Member) => {
    const choices = await queries.choicesOf(db, project, account)
    const visitors = await queries.mailsVisitors(db, project)
    // An owner who was an admin before may have turned them off.
    const alerts = role === 'owner' ? 'each' : choices.alerts
    return { json: JSON.stringify({ ...choices, alerts, visitors, sendsMail }) }
  }

  mount(app, contract.getNotifications, within, ({ caller }) => inProject(caller.project, (db) => shown(db, caller)))

  mount(app, contract.changeNotifications, within, ({ caller, body }) => {
    if (caller.role === 'owner' && body.alerts === 'off') throw new Refusal('invalid_field', contract.alertsFault)
    return inProject(caller.project, async (db) => {
      for (const topic of contract.notificationTopics) {
        const choice = body[topic]
        if (choice !== undefined) await queries.setChoice(db, caller.project, caller.account, topic, choice)
      }
      return shown(db, caller)
    })
  })

  mount(app, contract.setVisitorMails, within, ({ caller, body: { visitors } }) =>
    inProject(caller.project, async (db) => {
      if ((await queries.mailsVisitors(db, caller.project)) !== visitors) {
        await queries.setVisitorMails(db, caller.project, visitors)
        const detail = { to: visitors }
        await recordAudit(db, caller.project, {
          actor: caller.account,
          action: 'visitor_mails_set',
          subject: caller.slug,
          detail,
        })
      }
      return shown(db, caller)
    }),
  )
}
