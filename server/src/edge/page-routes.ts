// `createPages` serves pages of sites at an edge that has no database. When the control plane does
// not respond, the last copy is sent, marked as not cacheable; without one, an error page. A copy is
// never the response to a form: the visitor gets a page which says that the form was not sent. Photos come from a source
// of their own. The pages of one visitor's request are held nowhere.

import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { readStream } from '../foundation/http/body.io.ts'
import { matchesEntityTag } from '../foundation/http/negotiation.ts'
import { FORM_BYTES_MAX } from '../foundation/http/server-settings.io.ts'
import { hrefOf, mayHoldSecret, photoAt, type PhotoAddress } from '../sites/pages/addresses.ts'
import { notices, type Notice } from '../sites/pages/platform-pages.ts'
import { createCodings, createSender, finish } from '../sites/pages/send-routes.ts'
import { FORM_TYPE } from '../sites/pages/visitor-server.io.ts'
import { NoAnswer, type Origin } from './origin-client.io.ts'
import type { PageSource } from './pages/page-source.io.ts'
import type { PageAddress } from './pages/page-store.io.ts'
import { heldPage, type CachedPage } from './pages/page.ts'
import type { FoundPhoto, PhotoSource } from './pages/photo-source.io.ts'

/** A routed visit; `more` are headers of every response, names and values in turn. */
export type PageVisit = PageAddress & { host: string; more: readonly string[] }

export function createPages(source: PageSource, photos: PhotoSource, origin: Origin, log: FastifyBaseLogger) {
  const codingFor = createCodings()
  const sender = createSender()

  const read = (request: FastifyRequest, reply: FastifyReply, visit: PageVisit): void => {
    const { 'if-none-match': known, 'accept-encoding': accept } = request.raw.headers
    const coding = codingFor(accept)
    const cached = source.cached(visit, coding)
    if (cached) return send(reply, cached, visit, known)
    source.find({ ...visit, coding, requestId: request.id }).then(
      (found) => {
        if (!found) return refuse(reply, notices.unavailable, visit)
        return found.isStale ? sendStale(reply, found.page, visit) : send(reply, found.page, visit, known)
      },
      (error: unknown) => failed(error, request, reply, visit),
    )
  }

  /** Past memory and disk, and never shared with another visitor: the address is a secret. */
  const readSecret = async (request: FastifyRequest, reply: FastifyReply, visit: PageVisit): Promise<void> => {
    try {
      send(reply, heldPage(await origin.ask({ ...visit, coding: undefined, requestId: request.id })), visit, undefined)
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      log.warn({ requestId: request.id, err: error }, 'fetching the page of a request from the control plane failed')
      refuse(reply, notices.unavailable, visit)
    }
  }

  const readPhoto = (request: FastifyRequest, reply: FastifyReply, visit: PageVisit, address: PhotoAddress): void => {
    const { 'if-none-match': known } = request.raw.headers
    const wanted = { slug: visit.slug, host: visit.host, href: hrefOf(address), requestId: request.id }
    const cached = photos.cached(wanted)
    if (cached) return sendPhoto(reply, cached, visit, known)
    photos.find(wanted).then(
      (found) => (found ? sendPhoto(reply, found, visit, known) : refuse(reply, notices.unavailable, visit)),
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
      const answer = heldPage(await origin.ask({ ...visit, coding: undefined, requestId: request.id, form }))
      if (!mayHoldSecret(visit.target)) source.expire(visit)
      send(reply, answer, visit, undefined)
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      log.warn({ requestId: request.id, err: error }, 'forwarding a form to the control plane failed')
      refuse(reply, notices.notSent, visit)
    }
  }

  const refuse = (reply: FastifyReply, notice: Notice, { more }: PageVisit, also: readonly string[] = []) =>
    sender.notice(reply, notice, [...more, ...also])

  const failed = (error: unknown, request: FastifyRequest, reply: FastifyReply, visit: PageVisit) => {
    // The visitor has disconnected, and nothing has failed.
    if (request.raw.destroyed && !request.raw.complete) return
    request.log.error({ requestId: request.id, err: error })
    refuse(reply, notices.failed, visit)
  }

  /** Without promises where the page is cached: most requests end here. */
  return (request: FastifyRequest, reply: FastifyReply, visit: PageVisit): void => {
    if (request.method === 'GET' || request.method === 'HEAD') {
      if (mayHoldSecret(visit.target)) {
        return void readSecret(request, reply, visit).catch((error: unknown) => failed(error, request, reply, visit))
      }
      const photo = photoAt(visit.target)
      return photo ? readPhoto(request, reply, visit, photo) : read(request, reply, visit)
    }
    if (request.method !== 'POST') return refuse(reply, notices.method, visit)
    sendForm(request, reply, visit).catch((error: unknown) => failed(error, request, reply, visit))
  }
}

function send(reply: FastifyReply, page: CachedPage, { more }: PageVisit, known: string | undefined): void {
  const { status, etag, body, headers, headersUnchanged } = page
  if (status === 200 && etag !== undefined && matchesEntityTag(known, etag)) {
    return finish(reply, 304, { headers: more.length === 0 ? headersUnchanged : [...headersUnchanged, ...more] })
  }
  const also = status === 421 ? ['Connection', 'close'] : []
  finish(reply, status, { headers: more.length + also.length === 0 ? headers : [...headers, ...more, ...also], body })
}

const sendStale = (reply: FastifyReply, { status, headersStale, body }: CachedPage, { more }: PageVisit): void =>
  finish(reply, status, { headers: [...headersStale, ...more], body })

/** With its age, so that a cache in front of this edge asks again within the same hour. */
function sendPhoto(reply: FastifyReply, { photo, ageMs }: FoundPhoto, visit: PageVisit, known: string | undefined) {
  if (ageMs === undefined) return sendStale(reply, photo, visit)
  const age = photo.status === 200 ? ['Age', String(Math.floor(ageMs / 1000))] : []
  send(reply, photo, { ...visit, more: [...visit.more, ...age] }, known)
}

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
async function bodyOf({ raw }: FastifyRequest): Promise<Buffer | undefined> {
  if (Number(raw.headers['content-length'] ?? 0) > FORM_BYTES_MAX) return undefined
  const { end, bytes, error } = await readStream(raw, FORM_BYTES_MAX)
  if (end === 'broken') throw error ?? new Error('The visitor has gone away.')
  return end === 'whole' ? bytes : undefined
}
