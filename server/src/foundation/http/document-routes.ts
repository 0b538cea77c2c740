// `documentRoute` serves a document that is the same for every client, without a key.

import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { header } from './http.io.ts'
import { matchesEntityTag } from './negotiation.ts'

export function documentRoute(app: FastifyInstance, url: string, document: object): void {
  const body = Buffer.from(JSON.stringify(document))
  const tag = `W/"${hash('sha1', body, 'base64url')}"`

  app.route({
    method: ['GET', 'HEAD'],
    url,
    handler: async (request, reply) => {
      reply.headers({ ETag: tag, 'Cache-Control': 'public, no-cache', 'Content-Type': 'application/json' })
      const known = header(request, 'if-none-match')
      return matchesEntityTag(known, tag) ? reply.code(304).removeHeader('Content-Type').send() : reply.send(body)
    },
  })
}
