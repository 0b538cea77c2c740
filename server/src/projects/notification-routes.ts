// Routes for what members and visitors are mailed about, on `/platform/v1`.

import * as contract from '@petstore-platform/contract/platform/notifications'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { mount } from '../foundation/http/operation.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { MessageCodes } from '../mail/message-codes.io.ts'
import { suppress } from '../mail/suppression-queries.ts'
import type { Member } from './membership.io.ts'
import * as queries from './notification-queries.ts'
import { setChoice } from './notification-queries.ts'
import type { Platform } from './platform.ts'
import type { ProjectContext } from './project-context.ts'
import { recordAudit, findRole } from './project-queries.ts'
import { readUnsubscribeToken, type Unsubscription } from './unsubscribe.ts'

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

// `POST /unsubscribe/…` turns off the mails of a topic: without a cookie, as mail programs do it
// for their users (RFC 8058). A GET shows the dashboard's page and changes nothing, since scanners
// open every link of a mail.

export const unsubscribeRoutes =
  (context: Pick<ProjectContext, 'database' | 'inProject'>, codes: MessageCodes): FastifyPluginAsync =>
  async (app) => {
    // The body says no more than the address; whatever it is, it is not read.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { bodyLimit: BODY_BYTES_MAX }, (_request, payload, done) => {
      payload.on('end', () => done(null)).on('error', done)
      payload.resume()
    })
    app.post('/unsubscribe/:token', async (request, reply) => {
      const { token = '' } = request.params as { token?: string }
      const read = readUnsubscribeToken(token)
      if (!read || !(await codes.isCode(read.text, read.code))) {
        throw new Refusal('not_found', 'This link does not work: a part of it is missing.')
      }
      await turnOff(context, read.what)
      return reply.header('Content-Type', 'text/plain; charset=utf-8').send('You get no more of these mails.\n')
    })
  }

const BODY_BYTES_MAX = 64 * 1024

async function turnOff(
  { database, inProject }: Pick<ProjectContext, 'database' | 'inProject'>,
  what: Unsubscription,
): Promise<void> {
  if (what.of === 'invitations') {
    await suppress(database.run, what.addressDigest, 'invitations', 'declined')
    return
  }
  const { project, account, topic } = what
  await inProject(project, async (db) => {
    // The settings of a person who has left are gone, and stay so.
    if (await findRole(db, project, account)) await setChoice(db, project, account, topic, 'off')
  })
}
