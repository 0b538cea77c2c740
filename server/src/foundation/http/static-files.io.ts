// Files and pages that stay the same while the process runs. The listing of a folder,
// read once, is the list of what can be asked for, so no path of a request ever reaches
// the file system. A name with a hash in it never changes its content and is kept by
// browsers for good; all else is asked for again each time and mostly answered with 304.

import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { matchesEntityTag } from './negotiation.ts'

const CONTENT_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}
const HASHED_NAME = /\.[0-9a-f]{10}\.\w+$/
const CODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
]

export type StaticFolder = {
  /** Serves GET and HEAD of `<prefix>/<file>`, compressed where a compressed one lies beside it. */
  serve(app: FastifyInstance, prefix: string): void
  /** The text of a file that the folder was listed with. */
  textOf(file: string): Promise<string | undefined>
}

/**
 * A folder that is not there is an empty one. One that is kept in memory goes on being
 * served as it was when another takes its place; of any other such files are gone.
 */
export async function openStaticFolder(folder: string, { isKept = false } = {}): Promise<StaticFolder> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const files = new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name))
  const read = (file: string) => readFile(join(folder, file)).catch(ignoreMissing)
  const kept = new Map(
    isKept ? await Promise.all([...files].map(async (file) => [file, await read(file)] as const)) : [],
  )
  const bytesOf = async (file: string) => kept.get(file) ?? (isKept ? undefined : await read(file))

  const send = async (request: FastifyRequest, reply: FastifyReply, file: string) => {
    const type = CONTENT_TYPES[extname(file)]
    if (!files.has(file) || !type) return reply.callNotFound()
    const accepted = acceptedCodings(request.headers['accept-encoding'])
    const coding = CODINGS.find(({ name, suffix }) => accepted.has(name) && files.has(file + suffix))
    const bytes = await bytesOf(file + (coding?.suffix ?? ''))
    // Built anew since we have begun.
    if (!bytes) return reply.callNotFound()
    if (coding) reply.header('content-encoding', coding.name)
    return reply
      .header('content-type', type)
      .header('cache-control', HASHED_NAME.test(file) ? 'public, max-age=31536000, immutable' : 'no-cache')
      .header('vary', 'Accept-Encoding')
      .header('x-content-type-options', 'nosniff')
      .send(bytes)
  }
  return {
    serve: (app, prefix) =>
      void app.route<{ Params: { file: string } }>({
        method: ['GET', 'HEAD'],
        url: `${prefix}/:file`,
        handler: (request, reply) => send(request, reply, request.params.file),
      }),
    textOf: async (file) => (files.has(file) ? (await bytesOf(file))?.toString() : undefined),
  }
}

export type StaticPage = { html: string; headers: Readonly<Record<string, string>>; tag: string }

/** The headers are part of what the tag stands for: a page kept by a browser keeps its headers too. */
export function pageOf(html: string, headers: Readonly<Record<string, string>>): StaticPage {
  const digest = hash('sha256', html + JSON.stringify(headers), 'base64url')
  return { html, headers, tag: `"${digest.slice(0, 22)}"` }
}

function sendPage(request: FastifyRequest, reply: FastifyReply, { html, headers, tag }: StaticPage): FastifyReply {
  reply
    .headers(headers)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-cache')
    .header('etag', tag)
  const known = request.headers['if-none-match']
  if (reply.statusCode === 200 && known !== undefined && matchesEntityTag(known, tag)) return reply.code(304).send()
  return reply.header('content-type', 'text/html; charset=utf-8').send(html)
}

/** GET and HEAD of one address that has a page. */
export function servePage(app: FastifyInstance, url: string, page: StaticPage, status = 200): void {
  app.route({ method: ['GET', 'HEAD'], url, handler: (request, reply) => sendPage(request, reply.code(status), page) })
}

function acceptedCodings(header: string | string[] | undefined): Set<string> {
  const items = String(header ?? '')
    .toLowerCase()
    .split(',')
  const wanted = items.filter((item) => !/;\s*q\s*=\s*0(\.0*)?\s*$/.test(item))
  return new Set(wanted.map((item) => item.split(';', 1).join('').trim()))
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
