// `buildGateway` creates the HTTP server for visitors of an edge that has a control plane. The
// server in front has terminated TLS and passes on, in headers that no visitor can send, how the
// request came: the scheme, the name in the handshake, the target. The host table decides, in
// memory; challenges are requested from the control plane each time, since the authority may arrive
// before any change does; pages come from there as well.

import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { createSharedCalls } from '../foundation/load/shared-calls.ts'
import { Slots } from '../foundation/load/slots.io.ts'
import { decide, type Answering, type Known } from './decide-response.ts'
import { createServer, type Handler, type VisitorServerSettings } from '../sites/pages/visitor-server.io.ts'
import { SERVER_NAME_HEADER, TARGET_HEADER } from './caddy-config.ts'
import { hostOf } from '../sites/pages/hosts.ts'
import { notices } from '../sites/pages/platform-pages.ts'
import type { Origin } from './origin-client.io.ts'
import { createPages } from './page-routes.ts'
import { processLimits } from '../plans/limit-table.ts'
import type { PageDisk } from './pages/page-disk.io.ts'
import { createPageSource } from './pages/page-source.io.ts'
import { createPhotoSource } from './pages/photo-source.io.ts'
import { answerProbe } from '../fleet/probe-routes.ts'
import { createSender, finish } from '../sites/pages/send-routes.ts'

/** The control plane's challenges; null if there is none. */
export type Challenges = {
  challenge(hostname: string, token: string, deadlineMs: number): Promise<{ keyAuthorization: string } | null>
}

/** Authorities wait for about ten seconds, and count a missing response as a failure. */
const CHALLENGE_DEADLINE_MS = 5000

/** Proxies on this machine, which may pass on the visitor's address. */
const here = ['127.0.0.0/8', '::1/128']

export function buildGateway(
  context: Pick<Context, 'monotonic'>,
  {
    known,
    control,
    pages,
    photos,
  }: {
    known: Known
    control: Challenges
    pages: { origin: Origin; disk: PageDisk }
    photos: { origin: Origin; disk: PageDisk; confirmMs: number | undefined }
  },
  settings: VisitorServerSettings,
): FastifyInstance {
  const sender = createSender()
  const app = createServer(
    { ...settings, trustedProxies: [...here, ...settings.trustedProxies] },
    (request, reply) => answer(request, reply),
    // The table decides, not the router; the requested target stays in originalUrl.
    { rewriteUrl: () => '/' },
  )
  const pageSource = createPageSource(context, pages, known.find, app.log)
  const photoSource = createPhotoSource(context, photos, app.log, photos.confirmMs)
  const answerPage = createPages(pageSource, photoSource, pages.origin, app.log)
  const challengeOf = createChallenges(control, (error) =>
    app.log.warn({ err: error }, 'looking up an ACME challenge failed'),
  )

  const answer: Handler = (request, reply) => {
    const { raw, method } = request
    const { 'x-forwarded-proto': scheme, [SERVER_NAME_HEADER]: serverName, [TARGET_HEADER]: target } = raw.headers
    const answering = decide(
      {
        host: hostOf(raw.rawHeaders),
        target: typeof target === 'string' ? target : request.originalUrl,
        scheme: scheme === 'https' ? 'https' : 'http',
        serverName: typeof serverName === 'string' ? serverName : undefined,
        method,
      },
      known,
    )
    const more = 'isSecure' in answering && answering.isSecure ? strictly : []
    switch (answering.kind) {
      case 'site':
        return answerPage(request, reply, { ...answering, more })
      case 'redirect':
        return redirect(reply, answering, more)
      case 'misdirected':
        return sender.notice(reply, notices.unknown, ['Connection', 'close', ...more])
      case 'malformed':
        return sender.notice(reply, notices.malformed)
      case 'isolated':
        return sender.notice(reply, notices.unavailable, more)
      case 'suspended':
        return sender.notice(reply, notices.suspended, more)
      case 'probe':
        return answerProbe(reply, answering.target, answering.host, settings.probeSecret)
      case 'challenge':
        return void challengeOf(answering).then((found) => plain(reply, found))
    }
  }

  // Nothing is read before the decision, and most bodies never are.
  app.addContentTypeParser('*', (_, __, done) => done(null))
  app.route({ method: ['GET', 'HEAD', 'POST'], url: '/', handler: answer })
  app.setNotFoundHandler(answer)
  app.setErrorHandler((error, request, reply) => {
    request.log.error({ requestId: request.id, err: error })
    sender.notice(reply, notices.failed)
  })
  return app
}

/** For a year, as browsers and auditors expect (decision 8). For this name only: the owner's other names are not ours. */
const strictly = ['Strict-Transport-Security', 'max-age=31536000']

/** Browsers may cache it for minutes: the owner's next change must not take years to arrive. */
function redirect(
  reply: FastifyReply,
  { status, location }: Extract<Answering, { kind: 'redirect' }>,
  more: readonly string[],
): void {
  finish(reply, status, {
    headers: ['Location', location, 'Cache-Control', 'max-age=300', 'Content-Length', '0', ...more],
  })
}

type Challenge = Extract<Answering, { kind: 'challenge' }>

/** Undefined if there is none; one lookup at a time for each, and nothing is cached. */
function createChallenges(control: Challenges, onError: (error: Error) => void) {
  const { joined } = createSharedCalls()
  const slots = new Slots(processLimits.challengesOfEdge.most)
  const lookUp = async (hostname: string, token: string) => {
    const release = slots.takeNow()
    if (!release) return undefined
    return control
      .challenge(hostname, token, CHALLENGE_DEADLINE_MS)
      .then((response) => response?.keyAuthorization)
      .catch((error: Error) => {
        onError(error)
        return undefined
      })
      .finally(release)
  }
  return async ({ hostname, token }: Challenge): Promise<string | undefined> =>
    token === undefined ? undefined : joined(`${hostname} ${token}`, () => lookUp(hostname, token))
}

const plainHeaders = [
  'Content-Type',
  'text/plain; charset=utf-8',
  'Cache-Control',
  'no-store',
  'X-Content-Type-Options',
  'nosniff',
]

function plain(reply: FastifyReply, text: string | undefined): void {
  const body = Buffer.from(text ?? 'Not found.\n')
  finish(reply, text === undefined ? 404 : 200, {
    headers: [...plainHeaders, 'Content-Length', String(body.length)],
    body,
  })
}
