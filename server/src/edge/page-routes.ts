// `createPages` serves pages of sites at an edge that has no database. A page is cached for less
// than half a second and requested from the control plane once, however many visitors request it: a
// popular page costs the control plane two requests per second from each edge, and mostly the
// response is that it has not changed.
//
// When the control plane does not respond, the last copy is sent, marked as not cacheable; without
// one, an error page. A copy is never the response to a form: the visitor gets a page which says
// that the form was not sent. A page that the control plane reports as gone is removed here as
// well.
//
// A default address redirects visitors to the primary domain only while this edge serves that one:
// a redirect to a name that has left the host table is not sent, but the control plane is queried
// again. So a removal that this edge has confirmed strands no visitor.

import { promisify } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { addressOf, hrefOf } from '../sites/addresses.ts'
import { BODY_BYTES_MAX, FORM_TYPE } from '../sites/visitor-server.io.ts'
import { isCached, type Coding } from '../foundation/http/content-encoding.ts'
import { notices, type Notice } from '../sites/platform-pages.ts'
import { NoAnswer, type Origin } from './origin-client.io.ts'
import type { PageDisk } from './pages/page-disk.io.ts'
import { createPageCache } from './pages/page-cache.ts'
import { heldPage, inPlainBytes, type PageResponse, type CachedPage } from './pages/page.ts'
import { createCodings, createSender, finish } from '../sites/send-routes.ts'
import { CACHE_MS } from '../sites/page.ts'

export type PageDeps = {
  origin: Origin
  disk: PageDisk
  /** The host table. */
  find: (hostname: string) => object | undefined
  monotonic: () => number
  log: FastifyBaseLogger
}

/** A routed visit; `more` are headers of every response, names and values in turn. */
export type PageVisit = {
  slug: string
  host: string
  /** True for the project's default address, which may redirect. */
  isDefault: boolean
  target: string
  more: readonly string[]
}

type Wanted = PageVisit & { coding: Coding | undefined }
type Found = { page: CachedPage; isStale: boolean } | undefined

const KEPT = { countMax: 5000, bytesMax: 64 * 1024 * 1024 }
/** Responses that are not pages of a site need not be cached for long. */
const PASSING = { countMax: 500, bytesMax: 4 * 1024 * 1024 }
/** After this number of consecutive failed requests, copies are sent without a request. */
const FAILURES_MAX = 3
const PAUSE_MS = 1000
const UNPACKED_BYTES_MAX = 20_000_000

export function createPages({ origin, disk, find, monotonic: now, log }: PageDeps) {
  const memory = createPageCache({ holdMs: CACHE_MS, now, ...KEPT })
  const passing = createPageCache({ holdMs: CACHE_MS, now, ...PASSING })
  const codingFor = createCodings()
  const sender = createSender()
  const inFlight = new Map<string, Promise<Found>>()
  let failures = 0
  let lastFailureAt = Number.NEGATIVE_INFINITY
  const isPaused = () => failures >= FAILURES_MAX && now() - lastFailureAt < PAUSE_MS

  const fetchPage = async (wanted: Wanted): Promise<Found> => {
    if (isPaused()) {
      const copy = await findCopy(wanted)
      if (copy) return copy
    }
    const key = keyOf(wanted, wanted.coding)
    const last = memory.last(key)
    const requestedAt = now()
    try {
      const answer = await origin.ask({ ...wanted, etag: last?.etag })
      failures = 0
      if (answer.status !== 304) return { page: take(wanted, answer, requestedAt), isStale: false }
      if (!last) throw new NoAnswer('The control plane says that what was never held still holds.')
      memory.put(key, last, requestedAt)
      return { page: last, isStale: false }
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      failures += 1
      lastFailureAt = now()
      if (failures === 1) log.warn({ err: error }, 'fetching a page from the control plane failed')
      return findCopy(wanted)
    }
  }

  const take = (wanted: Wanted, answer: PageResponse, requestedAt: number): CachedPage => {
    const cached = heldPage(answer)
    const key = keyOf(wanted, wanted.coding)
    const copyKey = copyKeyOf(wanted)
    if (cached.status === 200) {
      memory.put(key, cached, requestedAt)
      if (copyKey !== undefined) disk.keep(copyKey, cached)
      return cached
    }
    passing.put(key, cached, requestedAt)
    if (gone.has(cached.status)) {
      for (const coding of codings) memory.drop(keyOf(wanted, coding))
      if (copyKey !== undefined) disk.forget(copyKey)
    }
    return cached
  }

  const findCopy = async (wanted: Wanted): Promise<Found> => {
    const { coding } = wanted
    const cached = [coding, ...codings].map((one) => memory.last(keyOf(wanted, one))).find(Boolean)
    const copyKey = copyKeyOf(wanted)
    const kept = cached ?? (copyKey === undefined ? undefined : await disk.find(copyKey))
    if (!kept) return undefined
    const isReadable = kept.coding === undefined || kept.coding === coding
    const page = isReadable ? kept : inPlainBytes(kept, await unpack(kept.body, kept.coding))
    // The next visitor finds it in memory, still marked as stale.
    if (page !== cached) memory.put(keyOf(wanted, page.coding), page, Number.NEGATIVE_INFINITY)
    return { page, isStale: true }
  }

  const isStranding = ({ leadsTo }: CachedPage) => leadsTo !== undefined && find(leadsTo) === undefined

  const read = (request: FastifyRequest, reply: FastifyReply, visit: PageVisit): void => {
    const { 'if-none-match': known, 'accept-encoding': accept } = request.raw.headers
    const coding = codingFor(accept)
    const key = keyOf(visit, coding)
    const cached = memory.fresh(key) ?? passing.fresh(key)
    if (cached && !isStranding(cached)) return send(reply, cached, visit, known)
    let found = inFlight.get(key)
    if (!found) {
      found = fetchPage({ ...visit, coding }).finally(() => inFlight.delete(key))
      inFlight.set(key, found)
    }
    // It may have been requested before the name left the table.
    const settled = found.then((one) => (one && isStranding(one.page) ? fetchPage({ ...visit, coding }) : one))
    settled.then(
      (one) => {
        if (!one) return refuse(reply, notices.unavailable, visit)
        return one.isStale ? sendStale(reply, one.page, visit) : send(reply, one.page, visit, known)
      },
      (error: unknown) => failed(error, request, reply, visit),
    )
  }

  const sendForm = async (request: FastifyRequest, reply: FastifyReply, visit: PageVisit): Promise<void> => {
    const type = request.headers['content-type'] ?? ''
    const body = await bodyOf(request)
    if (body === undefined) return refuse(reply, notices.tooLarge, visit, ['Connection', 'close'])
    if (body.length > 0 && type.split(';')[0]?.trim().toLowerCase() !== FORM_TYPE) {
      return refuse(reply, notices.wrongType, visit)
    }
    const form = { body, visitor: request.ip, headers: forwardedHeaders(request) }
    try {
      const answer = heldPage(await origin.ask({ ...visit, coding: undefined, form }))
      forget(visit)
      send(reply, answer, visit, undefined)
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      log.warn({ err: error }, 'forwarding a form to the control plane failed')
      refuse(reply, notices.notSent, visit)
    }
  }

  /** An animal may have changed: the next visitor gets the current page. */
  const forget = ({ slug, target }: PageVisit) => {
    const visits = [true, false].flatMap((isDefault) =>
      [target, '/'].map((path) => ({ slug, isDefault, target: path })),
    )
    for (const visited of visits) for (const coding of codings) memory.expire(keyOf(visited, coding))
  }

  const refuse = (reply: FastifyReply, notice: Notice, { more }: PageVisit, also: readonly string[] = []) =>
    sender.notice(reply, notice, [...more, ...also])

  const failed = (error: unknown, request: FastifyRequest, reply: FastifyReply, visit: PageVisit) => {
    // The visitor has disconnected, and nothing has failed.
    if (request.raw.destroyed && !request.raw.complete) return
    request.log.error({ err: error })
    refuse(reply, notices.failed, visit)
  }

  /** Without promises where the page is cached: most requests end here. */
  return (request: FastifyRequest, reply: FastifyReply, visit: PageVisit): void => {
    if (request.method === 'GET' || request.method === 'HEAD') return read(request, reply, visit)
    if (request.method !== 'POST') return refuse(reply, notices.method, visit)
    sendForm(request, reply, visit).catch((error: unknown) => failed(error, request, reply, visit))
  }
}

const codings = [undefined, 'br', 'gzip'] as const
/** Statuses with which the control plane reports that the page no longer exists. */
const gone = new Set([404, 410, 421])

/** A page does not depend on the visited host, but its existence may. */
const keyOf = (
  { slug, isDefault, target }: Pick<PageVisit, 'slug' | 'isDefault' | 'target'>,
  coding: Coding | undefined,
) => `${coding ?? 'plain'} ${isDefault ? 'default' : 'attached'} ${slug} ${target}`

/** One page has one copy, whatever visitors add to its address; an unknown address has none. */
function copyKeyOf({ slug, target }: Wanted): string | undefined {
  const address = addressOf(target)
  return address && `${slug} ${hrefOf(address)}`
}

function send(reply: FastifyReply, page: CachedPage, { more }: PageVisit, known: string | undefined): void {
  const { status, etag, body, heads, headsUnchanged } = page
  if (status === 200 && etag !== undefined && known !== undefined && isCached(known, etag)) {
    return finish(reply, 304, { heads: more.length === 0 ? headsUnchanged : [...headsUnchanged, ...more] })
  }
  const also = status === 421 ? ['Connection', 'close'] : []
  finish(reply, status, { heads: more.length + also.length === 0 ? heads : [...heads, ...more, ...also], body })
}

const sendStale = (reply: FastifyReply, { status, headsStale, body }: CachedPage, { more }: PageVisit): void =>
  finish(reply, status, { heads: [...headsStale, ...more], body })

const unpackers = { br: promisify(brotliDecompress), gzip: promisify(gunzip) }
const unpack = (body: Buffer, coding: Coding | undefined): Promise<Buffer> =>
  coding === undefined ? Promise.resolve(body) : unpackers[coding](body, { maxOutputLength: UNPACKED_BYTES_MAX })

/** The headers that show the origin and the type of a form. */
function forwardedHeaders({ headers }: FastifyRequest): Record<string, string> {
  const names = ['origin', 'sec-fetch-site', 'content-type', 'accept-language']
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name]
      return value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]]
    }),
  )
}

/** Undefined if it is larger than any form; rejects if the visitor has disconnected. */
function bodyOf({ raw }: FastifyRequest): Promise<Buffer | undefined> {
  if (Number(raw.headers['content-length'] ?? 0) > BODY_BYTES_MAX) return Promise.resolve(undefined)
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>()
  const chunks: Buffer[] = []
  let bytes = 0
  const take = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= BODY_BYTES_MAX) return void chunks.push(chunk)
    raw.off('data', take).pause()
    resolve(undefined)
  }
  raw.on('data', take)
  raw.on('end', () => resolve(Buffer.concat(chunks)))
  raw.on('error', reject)
  raw.on('close', () => reject(new Error('The visitor has gone away.')))
  return promise
}
