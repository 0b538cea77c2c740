// Sends pages: always with the same strict headers, compressed if the client accepts it,
// and as 304 if the client has the page already. Compressed bodies are cached by entity
// tag, as long as there is room.

import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { PICTURE_POLICY } from '../../photos/photo-file.ts'
import { FreshCache } from '../../foundation/load/cache.ts'
import { htmlPage, type Page } from './page.ts'
import { matchesEntityTag, codingOf, type Coding } from '../../foundation/http/negotiation.ts'
import { noticePage, noticeStyleHash, type Notice } from './platform-pages.ts'

const common = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  // Not no-referrer: with it a browser would send `Origin: null` with a form.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/** Of a page whose address is a secret: no other page learns the address, and no search engine lists it. */
export const secretPageHeaders = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow' } as const

const commonHeaders = Object.entries(common).flat()

/**
 * A week in a browser; caches that visitors share ask again after an hour, so that a deleted photo leaves them as well.
 */
const photoHeaders = Object.entries({
  ...common,
  'Content-Security-Policy': PICTURE_POLICY,
  'Cache-Control': 'public, max-age=604800, s-maxage=3600, immutable',
}).flat()

export type Sender = ReturnType<typeof createSender>

/** A page ready for the socket: its headers as alternating names and values, and its bytes. */
type Ready = { headers: string[]; body: Buffer }

const READY_MAX = 500
const ACCEPTS_MAX = 100
const SMALL = 600

/** The coding for an Accept-Encoding header. Browsers send the same few values over and over. */
export function createCodings(): (accept: string | string[] | undefined) => Coding | undefined {
  const codings = new Map<string, Coding | undefined>()
  return (given) => {
    const accept = Array.isArray(given) ? given.join() : given
    if (accept === undefined) return undefined
    if (!codings.has(accept) && codings.size < ACCEPTS_MAX) codings.set(accept, codingOf(accept))
    return codings.has(accept) ? codings.get(accept) : codingOf(accept)
  }
}

export function createSender() {
  const ready = new FreshCache<Ready>({ holdMs: Number.POSITIVE_INFINITY, countMax: READY_MAX, now: () => 0 })
  const codingFor = createCodings()

  return {
    send(request: FastifyRequest, reply: FastifyReply, page: Page): void {
      const { 'if-none-match': known, 'accept-encoding': accept } = request.raw.headers
      if (page.status === 200 && matchesEntityTag(known, page.etag))
        return finish(reply, 304, { headers: headersOf(page) })
      const coding = isText(page) ? codingFor(accept) : undefined
      const key = `${page.status} ${coding ?? 'plain'} ${page.type} ${page.etag} ${page.location ?? ''}`
      const made = ready.peek(key)
      if (made) return finish(reply, page.status, made)
      ready
        .get(key, () => makeReady(page, coding))
        .then((found) => finish(reply, page.status, found ?? plain(page)))
        .catch((error: unknown) => {
          request.log.warn({ requestId: request.id, err: error })
          finish(reply, page.status, plain(page))
        })
    },
    /** A file of a photo: neither compressed nor cached here. Without bytes, the client has them already. */
    photo(reply: FastifyReply, { etag, type }: { etag: string; type: string }, bytes: Buffer | undefined): void {
      const headers = [...photoHeaders, 'ETag', etag]
      if (bytes === undefined) return finish(reply, 304, { headers })
      finish(reply, 200, {
        headers: [...headers, 'Content-Type', type, 'Content-Length', String(bytes.length)],
        body: bytes,
      })
    },
    /** A page for one visitor: not cached anywhere. */
    once(reply: FastifyReply, page: Page, headers: Readonly<Record<string, string>> = {}): void {
      reply
        .code(page.status)
        .headers({ ...common, ...headers, 'Cache-Control': 'no-store', 'Content-Type': page.type, ...idOf(reply) })
        .send(page.body)
    },
    /** `more`: alternating names and values. Rejecting a request costs no more than serving it. */
    notice(reply: FastifyReply, notice: Notice, more: readonly string[] = []): void {
      const { headers, body } = readyNotice(notice)
      finish(reply, notice.status, { headers: more.length === 0 ? headers : [...headers, ...more], body })
    },
    /** Redirects to the current address of the site; temporarily, since it may change again at any time. */
    elsewhere(reply: FastifyReply, location: string): void {
      const headers = [...commonHeaders, 'Location', location, 'Cache-Control', 'no-store', 'Content-Length', '0']
      finish(reply, 307, { headers })
    },
    /** Redirects to another page of the same site, which the browser then requests with GET. */
    onward(reply: FastifyReply, href: string, headers: Readonly<Record<string, string>> = {}): void {
      reply
        .code(303)
        .headers({ ...common, ...headers, 'Cache-Control': 'no-store', Location: href, ...idOf(reply) })
        .send('')
    },
  }
}

const idOf = ({ request }: FastifyReply) => ({ 'Request-Id': request.id })

const noticePolicy = `default-src 'none'; style-src '${noticeStyleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
const readyNotices = new Map<Notice, Ready>()

function readyNotice(notice: Notice): Ready {
  const known = readyNotices.get(notice)
  if (known) return known
  const page = htmlPage(noticePage(notice), notice.status)
  const policy = { 'Content-Security-Policy': noticePolicy, 'Cache-Control': 'no-store' }
  const own = Object.entries({ ...common, ...notice.headers, ...policy }).flat()
  const made = { body: page.body, headers: [...own, ...bodyHeaders(page, page.body)] }
  readyNotices.set(notice, made)
  return made
}

/** Straight to the socket: the headers were created with the page, and most requests end here. */
export function finish(
  reply: FastifyReply,
  status: number,
  { headers, body }: { headers: string[]; body?: Buffer },
): void {
  if (reply.raw.headersSent) return
  reply.hijack()
  reply.raw.writeHead(status, [...headers, 'Request-Id', reply.request.id]).end(body)
}

async function makeReady(page: Page, coding: Coding | undefined): Promise<Ready> {
  if (coding === undefined) return plain(page)
  const body = await pressed[coding](page.body)
  return { body, headers: [...headersOf(page), ...bodyHeaders(page, body), 'Content-Encoding', coding] }
}

const plain = (page: Page): Ready => ({
  body: page.body,
  headers: [...headersOf(page), ...bodyHeaders(page, page.body)],
})

const bodyHeaders = ({ type }: Page, body: Buffer) => ['Content-Type', type, 'Content-Length', String(body.length)]

const headersOf = (page: Page): string[] => [
  ...commonHeaders,
  'Cache-Control',
  page.isFile ? 'public, max-age=31536000, immutable' : 'public, max-age=0, must-revalidate',
  ...(page.status === 200 ? ['ETag', page.etag] : []),
  ...(page.location === undefined ? [] : ['Location', page.location]),
  ...(isText(page) ? ['Vary', 'Accept-Encoding'] : []),
]

/** Pictures and typefaces are compressed already, and small bodies gain nothing. */
const isText = ({ type, body }: Page) => body.length > SMALL && !/^(font|image)\/(?!svg)/.test(type)

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
const pressed: Record<Coding, (body: Buffer) => Promise<Buffer>> = {
  // A page is cached for less than a second: better than gzip, and no slower.
  br: (body) =>
    brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }),
  gzip: (body) => zip(body, { level: 6 }),
}
