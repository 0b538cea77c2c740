// `createSiteHandler` handles requests for a site, once the site is known: the page from the cache
// or from the database, or the form that a visitor submitted. It is used for visitors directly and
// for edges on their behalf; the only differences are how the visitor is identified, and that an
// edge caches pages as well.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { VISITOR_HEADER } from '../fleet/protocol.ts'
import type { Context } from '../foundation/context.ts'
import { errorKindOf } from '../foundation/http/error-kind.io.ts'
import { matchesEntityTag } from '../foundation/http/negotiation.ts'
import { newId } from '../foundation/ids.io.ts'
import { createSharedCalls } from '../foundation/load/shared-calls.ts'
import { ObjectsUnavailable, type Objects } from '../foundation/objects.ts'
import { messageCodes } from '../mail/message-codes.io.ts'
import { fileNameOf, keyOfPhoto, typeOfPhoto } from '../photos/photo-file.ts'
import type { InProject } from '../projects/scope.io.ts'
import { mayHoldSecret, readTarget, type PhotoAddress } from '../sites/pages/addresses.ts'
import { slugOf } from '../sites/pages/hosts.ts'
import { CACHE_MS, htmlPage, type Page } from '../sites/pages/page.ts'
import { notices } from '../sites/pages/platform-pages.ts'
import { missingPage } from '../sites/pages/render.ts'
import { createSender, secretPageHeaders, type Sender } from '../sites/pages/send-routes.ts'
import { isPhotoShown } from '../sites/pages/visitor-queries.ts'
import { createPublishedPages, type SiteLookup, type Published, type PublishedPagesDeps } from './published-pages.io.ts'
import { requestRoute } from './request-status-routes.ts'
import { reportRoute } from './report-routes.ts'
import { reserveRoute, type ReserveDeps } from './reserve-routes.ts'

export type SiteDeps = Pick<Context, 'objects'> &
  PublishedPagesDeps &
  Omit<ReserveDeps, 'store' | 'sender' | 'visitorOf' | 'codes' | 'newId'> & { platformHost: string }

/** The site's slug, the visited host (as in the Host header), and path with query. */
export type Visit = { slug: string; host: string; target: string }

export type SiteHandler = (request: FastifyRequest, reply: FastifyReply, visit: Visit) => void

/**
 * `isForEdges`: requests come from authenticated edges, whose visitor header is trusted and which cache pages as well;
 * otherwise from visitors directly.
 */
export function createSiteHandler(deps: SiteDeps, isForEdges: boolean): SiteHandler {
  const store = createPublishedPages(deps, isForEdges ? CACHE_MS / 2 : CACHE_MS)
  const sender = createSender()
  const visitorOf = isForEdges ? forwardedVisitor : ({ ip }: FastifyRequest) => ip
  const asking = { ...deps, store, sender, newId, codes: messageCodes(deps.run, 'request', deps.randomBytes) }
  const reserve = reserveRoute({ ...asking, visitorOf })
  const report = reportRoute({ ...asking, visitorOf })
  const showRequest = requestRoute(asking)
  const showPhoto = photoRoute(deps.inProject, deps.objects, sender)

  /** The default address redirects to the primary domain while that is served. */
  const elsewhereFrom = ({ slug, site: { origin } }: Published, host: string): string | undefined =>
    !origin.endsWith(`://${slug}.${deps.platformHost}`) && slugOf(host, deps.platformHost) === slug ? origin : undefined

  /** Without promises where everything is cached: most requests end here. */
  return (request, reply, { slug, host, target }) => {
    // The cache may be half a second old: no visitor is redirected to a domain that was removed in
    // the meantime.
    const leave = async (lookup: Published, elsewhere: string): Promise<void> => {
      if ((await store.originNow(lookup)) === elsewhere) return sender.elsewhere(reply, `${elsewhere}${target}`)
      store.forgetPlace(slug)
      return enter(await store.placeOf(slug))
    }
    const show = (lookup: Published): void | Promise<void> => {
      const wanted = readTarget(target)
      const { address } = wanted
      // A photo is not redirected: a page that was loaded before the primary domain may show pictures of its own origin.
      if (address?.kind === 'photo' && request.method !== 'POST') return showPhoto(lookup, address, request, reply)
      const elsewhere = request.method === 'POST' ? undefined : elsewhereFrom(lookup, host)
      if (elsewhere !== undefined) return leave(lookup, elsewhere)
      if (address?.kind === 'confirmation' || address?.kind === 'status')
        return showRequest(lookup, { address, language: wanted.language }, host, request, reply)
      if (address?.kind === 'report' && request.method === 'POST') return report(lookup, wanted, host, request, reply)
      if (request.method === 'POST') return reserve(lookup, wanted, host, request, reply)
      // A page that is not there has no address of its own, and this one may contain a secret.
      if (mayHoldSecret(target)) return sender.once(reply, htmlPage(missingPage(lookup.site), 404), secretPageHeaders)
      if (address?.kind === 'sheets') {
        const send = (sheets: Page) =>
          sheets.status === 200 ? sender.once(reply, sheets) : sender.send(request, reply, sheets)
        return store.pageNow(lookup, wanted).then(send)
      }
      const page = store.pageOf(lookup, wanted)
      if (!(page instanceof Promise)) return sender.send(request, reply, page)
      return page.then((found) => (found ? sender.send(request, reply, found) : sender.notice(reply, notices.failed)))
    }
    const enter = (found: SiteLookup | undefined): void | Promise<void> =>
      found?.kind === 'published' ? show(found) : sender.notice(reply, notices[found?.kind ?? 'unknown'])
    const lookup = store.placeOf(slug)
    const done = lookup instanceof Promise ? lookup.then(enter) : enter(lookup)
    if (done instanceof Promise) done.catch((error: unknown) => answerError(error, request, reply, sender))
  }
}

const forwardedVisitor = ({ headers, ip }: FastifyRequest): string => {
  const forwarded = headers[VISITOR_HEADER]
  return typeof forwarded === 'string' && forwarded !== '' ? forwarded : ip
}

// The client would send more on this connection than is accepted.
const closing = ['Connection', 'close']

/** Responds with a page in every case; unexpected errors are logged. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, sender: Sender): void {
  const kind = errorKindOf(error)
  if (kind === 'body_too_large') return sender.notice(reply, notices.tooLarge, closing)
  if (kind === 'wrong_type') return sender.notice(reply, notices.wrongType)
  if (kind === 'bad_body') return sender.notice(reply, notices.malformed)
  // One of PostgreSQL is logged where its connections are.
  if (error instanceof ObjectsUnavailable) request.log.error({ requestId: request.id, err: error })
  if (kind === 'outage') return sender.notice(reply, notices.unavailable)
  request.log.error({ requestId: request.id, err: error })
  sender.notice(reply, notices.failed)
}

// `photoRoute` serves the files of photos, past the caches of pages: they are large, and an address never changes its
// bytes. What can change is whether the site still shows the photo, so that is read for every request: a deleted one, or
// one of an animal that is hidden, is gone at once, and a client or an edge that has the bytes already costs one small
// statement. Concurrent requests for a file share one read.

function photoRoute(inProject: InProject, objects: Pick<Objects, 'get'>, sender: Sender) {
  const { coalesced } = createSharedCalls()

  return async (
    { project, site }: Published,
    { digest, file }: PhotoAddress,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> => {
    const key = keyOfPhoto(digest, file)
    const { hiddenCategories } = site.content.settings
    const isShown = () => inProject(project, (db) => isPhotoShown(db, project, { digest, file, hiddenCategories }))
    const photo = { etag: etagOf(digest, fileNameOf(file)), type: typeOfPhoto(file) }
    const isKnown = matchesEntityTag(request.headers['if-none-match'], photo.etag)
    const found = isKnown
      ? (await coalesced(`${project} has ${key}`, isShown)) && 'unchanged'
      : await coalesced(`${project} ${key}`, async () => ((await isShown()) ? objects.get(project, key) : undefined))
    if (!found) return sender.once(reply, htmlPage(missingPage(site), 404))
    return sender.photo(reply, photo, found === 'unchanged' ? undefined : found)
  }
}

/** Of the address, whose bytes never change. */
const etagOf = (digest: string, name: string) => `"${digest.slice(0, 32)}-${name}"`
