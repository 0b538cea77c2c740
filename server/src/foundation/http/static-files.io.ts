// Static files and pages, unchanged while the process runs. A folder is listed once, and only
// listed files are served, so no path of a request ever reaches the file system. A file with a hash
// in its name never changes and is cached by browsers permanently; all others are revalidated each
// time, mostly with 304.

import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { matchesEntityTag } from './negotiation.ts'

const CONTENT_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml; charset=utf-8',
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
  /** Serves GET and HEAD of `<prefix>/<file>`, compressed if there is a compressed file next to it. */
  serve(app: FastifyInstance, prefix: string): void
  /** The text of a file, if the folder contained it when it was listed. */
  textOf(file: string): Promise<string | undefined>
}

/**
 * A missing folder counts as empty. A folder kept in memory continues to be served as it was when
 * it is replaced on disk; files of any other replaced folder are gone.
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
    // The folder was rebuilt after the process started.
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

/** The tag covers the headers too: a page cached by a browser keeps its headers. */
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
  if (reply.statusCode === 200 && matchesEntityTag(known, tag)) return reply.code(304).send()
  return reply.header('content-type', 'text/html; charset=utf-8').send(html)
}

/** Serves GET and HEAD of a page at one address. */
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
