// `POST /unsubscribe/…` turns off the mails of a topic: without a cookie, as mail programs do it
// for their users (RFC 8058). A GET shows the dashboard's page and changes nothing, since scanners
// open every link of a mail.

import type { FastifyPluginAsync } from 'fastify'
import { Refusal } from '../foundation/refusal.ts'
import type { MessageCodes } from '../mail/message-codes.io.ts'
import { suppress } from '../mail/suppression-queries.ts'
import { setChoice } from './notification-queries.ts'
import type { ProjectContext } from './project-context.ts'
import { findRole } from './project-queries.ts'
import { readUnsubscribeToken, type Unsubscription } from './unsubscribe.ts'

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
