// Health checks for the operator's monitoring: liveness (needs nothing but the event loop) and
// readiness (PostgreSQL responds, and does not lose what it acknowledges).

import type { FastifyInstance, FastifyReply } from 'fastify'
import { Unavailable, statement, type Database } from '../postgres/postgres.io.ts'
import { Refusal } from '../refusal.ts'

const ping = statement<{ one: number }, []>('ping', 'select 1 as one')

/** Whether PostgreSQL responds, and does not lose what it acknowledges. */
export const isReady = async (database: Database): Promise<boolean> =>
  database.isFit?.() !== false && (await responds(database))

async function responds(database: Database): Promise<boolean> {
  try {
    await database.transaction({}, (db) => db(ping))
    return true
  } catch (error) {
    if (error instanceof Unavailable) return false
    throw error
  }
}

export function healthRoutes(app: FastifyInstance, database: Database): void {
  const ok = (reply: FastifyReply) =>
    reply
      .headers({ 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
      .send(Buffer.from('{"status":"ok"}'))

  app.route({ method: ['GET', 'HEAD'], url: '/livez', handler: async (_, reply) => ok(reply) })
  app.route({
    method: ['GET', 'HEAD'],
    url: '/readyz',
    handler: async (_, reply) => {
      if (app.isStopping) throw new Refusal('service_unavailable', 'The service is stopping.', { 'Retry-After': '1' })
      if (database.isFit?.() === false)
        throw new Refusal('service_unavailable', 'PostgreSQL is not configured safely; the log says how.', {
          'Retry-After': '60',
        })
      if (!(await responds(database))) {
        throw new Refusal('service_unavailable', 'PostgreSQL does not answer.', { 'Retry-After': '1' })
      }
      return ok(reply)
    },
  })
}
