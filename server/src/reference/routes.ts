// Serves the API reference at /docs, the pages on deprecation below it, and the files
// that tools/build-reference.ts made. The folder's listing, read once, is the list of
// what can be asked for, so no path of a request ever reaches the file system. A name
// with a hash in it never changes its content and is kept by browsers for good; all
// else is asked for again each time and mostly answered with 304.

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { matchesEntityTag } from '../foundation/negotiation.ts'
import {
  deprecationsPage,
  getPetPage,
  missingReferencePage,
  plainPolicy,
  referencePage,
  referencePolicy,
  type Bundle,
  type OpenApiLike,
} from './render.ts'

export type ReferenceDeps = {
  document: OpenApiLike
  /** The folder that tools/build-reference.ts filled. */
  assets: string
  /** Since when getPet is deprecated, in seconds; 5 December 2025 unless configured. */
  deprecatedSince?: number
}

type Page = { html: string; policy: string; tag: string }

const CONTENT_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
const HASHED_NAME = /\.[0-9a-f]{10}\.\w+$/
const CODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
]

export const referenceRoutes =
  ({ document, assets, deprecatedSince = 1764892800 }: ReferenceDeps): FastifyPluginAsync =>
  async (app) => {
    const files = new Set(await readdir(assets).catch(() => []))
    const bundle = files.has('manifest.json')
      ? (JSON.parse(await readFile(join(assets, 'manifest.json'), 'utf8')) as Bundle)
      : undefined

    const reference = bundle && pageOf(referencePage(document, bundle), referencePolicy(document))
    const missing = pageOf(missingReferencePage(document), plainPolicy)
    const deprecations = pageOf(deprecationsPage(document, deprecatedSince), plainPolicy)
    const getPet = pageOf(getPetPage(document, deprecatedSince), plainPolicy)

    const get = (url: string, handler: (request: FastifyRequest, reply: FastifyReply) => FastifyReply) =>
      app.route({ method: ['GET', 'HEAD'], url, handler })

    get('/docs', (request, reply) =>
      reference ? sendPage(request, reply, reference) : sendPage(request, reply.code(503), missing),
    )
    get('/docs/deprecations', (request, reply) => sendPage(request, reply, deprecations))
    get('/docs/deprecations/get-pet', (request, reply) => sendPage(request, reply, getPet))

    app.route<{ Params: { file: string } }>({
      method: ['GET', 'HEAD'],
      url: '/docs/assets/:file',
      handler: async (request, reply) => {
        const { file } = request.params
        const type = CONTENT_TYPES[extname(file)]
        if (!files.has(file) || !type) return reply.callNotFound()
        const accepted = acceptedCodings(request.headers['accept-encoding'])
        const coding = CODINGS.find(({ name, suffix }) => accepted.has(name) && files.has(file + suffix))
        const bytes = await readFile(join(assets, file + (coding?.suffix ?? '')))
        if (coding) reply.header('content-encoding', coding.name)
        return reply
          .header('content-type', type)
          .header('cache-control', HASHED_NAME.test(file) ? 'public, max-age=31536000, immutable' : 'no-cache')
          .header('vary', 'Accept-Encoding')
          .header('x-content-type-options', 'nosniff')
          .send(bytes)
      },
    })
  }

/** The policy is part of what the tag stands for: a page kept by a browser keeps its headers too. */
function pageOf(html: string, policy: string): Page {
  const digest = createHash('sha256').update(html).update(policy).digest('base64url')
  return { html, policy, tag: `"${digest.slice(0, 22)}"` }
}

function sendPage(request: FastifyRequest, reply: FastifyReply, { html, policy, tag }: Page): FastifyReply {
  reply
    .header('content-security-policy', policy)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-cache')
    .header('etag', tag)
  const known = request.headers['if-none-match']
  if (reply.statusCode === 200 && known !== undefined && matchesEntityTag(known, tag)) return reply.code(304).send()
  return reply.header('content-type', 'text/html; charset=utf-8').send(html)
}

function acceptedCodings(header: string | string[] | undefined): Set<string> {
  const items = String(header ?? '')
    .toLowerCase()
    .split(',')
  const wanted = items.filter((item) => !/;\s*q\s*=\s*0(\.0*)?\s*$/.test(item))
  return new Set(wanted.map((item) => item.split(';', 1).join('').trim()))
}
