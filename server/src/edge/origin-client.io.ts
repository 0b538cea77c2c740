// `openOrigin` fetches pages for an edge without a database from the control plane, over HTTP. The
// target is forwarded unchanged, never parsed. Every request settles within its deadline, whatever
// the other side does. Only named parts of the response are used: the status, the body, and the
// headers that pages of sites have.

import * as http from 'node:http'
import * as https from 'node:https'
import { SITE_HEADER, SITE_PATH, VISITED_HOST_HEADER, VISITOR_HEADER } from '../fleet/protocol.ts'
import {
  HttpFailure,
  sendHttp,
  sendHttpTwice,
  serverOf,
  type HttpExchange,
  type HttpResponse,
  type ResponseHead,
} from '../foundation/http/http-client.io.ts'
import { REQUEST_ID_HEADER } from '../foundation/http/request-id.ts'
import type { Coding } from '../foundation/http/negotiation.ts'
import { failureSentence } from './control-failure.ts'
import { ControlError } from './control-request.io.ts'
import type { EdgeIdentity } from './identity.io.ts'
import { pageHeaders, type PageResponse } from './pages/page.ts'
import type { EdgeConfig } from './settings.ts'

/** A request for a page of a site. */
export type PageRequest = {
  slug: string
  host: string
  target: string
  coding: Coding | undefined
  /** The visitor's request, by its id. */
  requestId: string
  /** The cached version: if it is still valid, the response is 304. */
  etag?: string | undefined
  /** A submitted form, with the headers that show its origin. */
  form?: SentForm
}

export type SentForm = { body: Buffer; visitor: string; headers: Readonly<Record<string, string>> }

export type Origin = {
  /** Rejects if the control plane does not respond, or not with a page. */
  ask(question: PageRequest): Promise<PageResponse>
  close(): void
}

export type OriginConfig = Pick<EdgeConfig, 'controlUrl' | 'controlRoots'> & { identity: EdgeIdentity }

/** The control plane did not return a page: nothing is known about the page itself. */
export class NoAnswer extends Error {}

const PAGE_DEADLINE_MS = 2000
/** Hundreds of kilobytes on a long line; nothing else on the page waits for it. */
export const PHOTO_DEADLINE_MS = 5000
// A form has effects, and is sent once: its response is worth waiting for.
const FORM_DEADLINE_MS = 10_000
const PAGE_BYTES_MAX = 10_000_000
const SOCKETS_MAX = 128
/** The maximum number of waiting requests; more would wait in vain. */
const WAITING_MAX = 1000

/** Connections of its own, and requests that wait of its own. */
export function openOrigin(
  { controlUrl, controlRoots, identity }: OriginConfig,
  deadlineMs: number = PAGE_DEADLINE_MS,
): Origin {
  const server = serverOf(controlUrl)
  const { Agent } = server.protocol === 'https:' ? https : http
  const trust = controlRoots === undefined ? {} : { ca: controlRoots }
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX, ...trust })
  let waiting = 0

  const exchangeOf = async (question: PageRequest): Promise<HttpExchange> => {
    const method = question.form ? 'POST' : 'GET'
    const path = SITE_PATH + inAscii(question.target)
    const headers = headersOf(question)
    const body = question.form?.body
    const Authorization = await identity.authorize({ method, url: path, headers }, body)
    return {
      options: {
        ...server,
        agent,
        method,
        path,
        headers: { Authorization, ...headers },
      },
      body,
      signal: AbortSignal.timeout(question.form ? FORM_DEADLINE_MS : deadlineMs),
      bytesMax: PAGE_BYTES_MAX,
      needsBody: isPage,
    }
  }

  return {
    async ask(question) {
      if (waiting >= WAITING_MAX) throw new NoAnswer('Too many wait for the control plane already.')
      waiting += 1
      try {
        const send = question.form ? sendHttp : sendHttpTwice
        return pageFrom(await send(await exchangeOf(question)))
      } catch (error) {
        if (error instanceof ControlError) throw new NoAnswer(error.message)
        if (!(error instanceof HttpFailure)) throw error
        throw new NoAnswer(failureSentence(error, 'The page is larger than any page is.'))
      } finally {
        waiting -= 1
      }
    },
    close: () => agent.destroy(),
  }
}

// Visitors may send such bytes unencoded; a server like the control plane rejects them.
const inAscii = (target: string) =>
  target.replace(/[\u0080-\u00FF]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)

const headersOf = ({ slug, host, coding, requestId, etag, form }: PageRequest): Record<string, string> => ({
  [REQUEST_ID_HEADER]: requestId,
  [SITE_HEADER]: slug,
  [VISITED_HOST_HEADER]: host,
  'Accept-Encoding': coding ?? 'identity',
  ...(etag !== undefined && { 'If-None-Match': etag }),
  ...(form && { ...form.headers, [VISITOR_HEADER]: form.visitor, 'Content-Length': String(form.body.length) }),
})

/**
 * False if the control plane rejects the edge, rejects the request (with JSON), or failed: nothing is known
 * about the page.
 */
const isPage = ({ status, headers }: ResponseHead) =>
  status >= 200 && status !== 401 && status < 500 && headers['content-type']?.startsWith('application/json') !== true

function pageFrom(response: HttpResponse): PageResponse {
  const { status, rawHeaders, body } = response
  if (!isPage(response)) throw new NoAnswer(`The control plane answered ${status}.`)
  return { status, headers: pageHeaders(rawHeaders), body }
}
