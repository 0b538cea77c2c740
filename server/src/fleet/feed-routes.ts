// The routes of the control plane for edges, on a listener of its own that visitors never reach. A
// request is authenticated before anything else, and again after waiting, so that a revoked edge
// gets nothing a second later; only enrolment, which a token allows, comes before that. An edge
// receives private keys of names that it serves, a bounded number in an hour, encrypted to it.
// Tokens, private keys and key authorisations leave in a response or not at all. Of a request for a
// page, id, method, status and duration are logged; of others nothing.

import { fastify, type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { findServable } from '../certificates/advance.io.ts'
import type { Keys } from '../certificates/key-encryption.io.ts'
import { findChallenge } from '../certificates/stored-queries.ts'
import { drainOnClose } from '../foundation/http/draining.io.ts'
import { errorKindOf, refusalOf } from '../foundation/http/error-kind.io.ts'
import { REQUEST_ID_HEADER, isRequestId } from '../foundation/http/request-id.ts'
import { formServerSettings, type ServerSettings } from '../foundation/http/server-settings.io.ts'
import type { AdmissionRules } from '../foundation/load/admission.ts'
import { batched } from '../foundation/load/batch.ts'
import type { Caps, ConnectionCaps } from '../foundation/load/connection-caps.io.ts'
import { nameListener } from '../foundation/measurements.io.ts'
import { isRefusedData, type Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal, bodyOf } from '../foundation/refusal.ts'
import type { Clock } from '../foundation/time.ts'
import { audienceOf, changesFor, isServedBy, type Audience } from './audience.ts'
import type { Feed } from './change-feed.io.ts'
import { acknowledge, findRoute, type Acknowledgement } from './directory.io.ts'
import { admitEdges, type EdgeGuard, type KnownEdge } from './edge-guard.io.ts'
import { sealToEdge } from './key-delivery.io.ts'
import type { CountExport } from './key-export.io.ts'
import { enrolledKeys, parseEdgeRequest, visitOf, type EdgeRequest } from './parse-request.ts'
import {
  CHANGES_MAX,
  ENROLMENT_PATH,
  PROTOCOL,
  SETTINGS_FOR,
  SITE_HEADER,
  SITE_PATH,
  VISITED_HOST_HEADER,
  type Changes,
  type CertificateResponse,
  type ChallengeResponse,
  type DeliveredCertificate,
  type EnrolmentResponse,
  type SharedSettings,
} from './protocol.ts'
import { isSignedBody } from './request-signature.io.ts'

/** Responds for a site: its slug, the host as the visitor sent it, and the path and query byte for byte. */
export type ServeSite = (
  request: FastifyRequest,
  reply: FastifyReply,
  visit: { slug: string; host: string; target: string },
) => void

export type ControlDeps = ServerSettings & {
  admission: AdmissionRules
  caps: Caps
  run: Db
  guard: EdgeGuard
  countExport: CountExport
  feed: Feed
  /** Undefined if this installation has no certificates. */
  keys: Pick<Keys, 'open'> | undefined
  serveSite: ServeSite
  settings: SharedSettings
  now: Clock
}

const ACKNOWLEDGED_AT_ONCE = 1000

export function buildControl(deps: ControlDeps): FastifyInstance {
  const app = createServer(deps, (request, reply) => {
    // Not one of the routes, so the request is not authenticated yet.
    admit(request, reply).then(
      () => answer(request, reply),
      (error: unknown) => fail(error, request, reply),
    )
  })
  const connections = admitEdges(app, deps, deps.admission, deps.caps)
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.edge = await connections.examine({ request: request.raw, response: reply.raw }, (knownAs) =>
      deps.guard.authenticate(request.raw, request.ip, knownAs),
    )
  }
  const answers = answersOf(deps, app.log, connections)

  const answer = (request: FastifyRequest, reply: FastifyReply): void => {
    const parsed = parseEdgeRequest(request.raw.url ?? '')
    if (parsed.kind === 'site') return visit(deps, parsed.target, request, reply)
    const isForm = parsed.kind === 'enrolment'
    const found = request.method === (isForm ? 'POST' : 'GET') ? answers(parsed, request, reply) : undefined
    if (!found) return fail(new Refusal('not_found'), request, reply)
    found.then(
      (body) => send(reply, body),
      (error: unknown) => fail(error, request, reply),
    )
  }

  app.addHook('onRequest', async (request, reply) => {
    // An enrolment has only a token, which is examined with the keys in its body.
    if (request.raw.url !== ENROLMENT_PATH) await admit(request, reply)
  })
  app.route({ method: ['GET', 'HEAD', 'POST'], url: '/*', handler: answer })
  app.setNotFoundHandler((request, reply) => fail(new Refusal('not_found'), request, reply))
  app.setErrorHandler((error, request, reply) => fail(error, request, reply))
  app.addHook('preClose', () => deps.feed.close())
  return app
}

type Body = { text: string }

/** The response body as text; undefined for an unknown kind of request. */
function answersOf(deps: ControlDeps, log: FastifyBaseLogger, connections: ConnectionCaps) {
  const { run, keys, now } = deps
  const changesOf = changesAnswer(deps, log)

  const certificateOf = async (
    { hostname, generation }: Extract<EdgeRequest, { kind: 'certificate' }>,
    edge: KnownEdge | undefined,
  ): Promise<CertificateResponse | DeliveredCertificate> => {
    const route = await findRoute(run, hostname)
    if (!edge || !keys || route?.generation !== String(generation)) throw nothing()
    if (!isServedBy(audienceOf(PROTOCOL, edge.servesApi), route)) throw nothing()
    const found = await findServable(run, hostname, generation, now())
    if (!found) throw nothing()
    await deps.countExport(edge)
    const key = keys.open(found.sealedKey, { hostname, generation, purpose: 'certificate' })
    if (key === null) throw new Error(`the key of the certificate for ${hostname} cannot be opened`)
    const { serial, chain } = found
    const notAfter = new Date(found.notAfter).toISOString()
    const response = { hostname, generation: String(generation), serial, notAfter, chain }
    if (!edge.identity) return { ...response, key }
    return { ...response, sealedKey: sealToEdge(edge.identity.sealKey, key, { edge: edge.id, ...response }) }
  }

  const enrolmentOf = async ({ body, ip, raw }: FastifyRequest, reply: FastifyReply): Promise<EnrolmentResponse> => {
    const { id } = await connections.examine({ request: raw, response: reply.raw }, async () => {
      const given = enrolledKeys(body)
      if (!given) throw new Refusal('malformed_request')
      return deps.guard.enrol(raw.headers.authorization, given, ip)
    })
    return { id }
  }

  const challengeOf = async ({ hostname, token }: Extract<EdgeRequest, { kind: 'challenge' }>) => {
    const keyAuthorization = await findChallenge(run, hostname, token, now())
    if (keyAuthorization === undefined) throw nothing()
    return { keyAuthorization } satisfies ChallengeResponse
  }

  const settingsOf = async (edge: KnownEdge | undefined): Promise<Pick<DeliveredCertificate, 'sealedKey'>> => {
    if (!edge?.identity) throw nothing()
    const text = JSON.stringify(deps.settings)
    return { sealedKey: sealToEdge(edge.identity.sealKey, text, { edge: edge.id, ...SETTINGS_FOR }) }
  }

  return (parsed: EdgeRequest, request: FastifyRequest, reply: FastifyReply): Promise<Body> | undefined => {
    if (parsed.kind === 'changes') return changesOf(parsed, request, reply)
    if (parsed.kind === 'certificate') return certificateOf(parsed, request.edge).then(textOf)
    if (parsed.kind === 'challenge') return challengeOf(parsed).then(textOf)
    if (parsed.kind === 'enrolment') return enrolmentOf(request, reply).then(textOf)
    if (parsed.kind === 'settings') return settingsOf(request.edge).then(textOf)
    return parsed.kind === 'malformed' ? Promise.reject(new Refusal('invalid_parameter')) : undefined
  }
}

const nothing = () => new Refusal('not_found')
const textOf = (value: unknown): Body => ({ text: JSON.stringify(value) })

function changesAnswer(deps: ControlDeps, log: FastifyBaseLogger) {
  const { run, feed } = deps
  const note = batched<Acknowledgement, undefined>({
    together: async (given) => (await acknowledge(run, given), given.map(() => undefined)),
    isBlamed: isRefusedData,
    groupOf: ({ edge }) => edge,
    weightOf: () => 1,
    weightMax: ACKNOWLEDGED_AT_ONCE,
    lanes: 1,
  })
  // Many edges wait for the same change and get the same text.
  const written = new WeakMap<Changes, Map<Audience, Body>>()
  const bodyFor = (changes: Changes, audience: Audience): Body => {
    const known = written.get(changes) ?? new Map<Audience, Body>()
    const shown = changesFor(changes, audience, CHANGES_MAX)
    const body = known.get(audience) ?? textOf(audience === 'first' ? shown : { ...shown, audience })
    written.set(changes, known.set(audience, body))
    return body
  }

  return async (
    { after, begun, waitMs, protocol }: Extract<EdgeRequest, { kind: 'changes' }>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Body> => {
    // A number that does not exist yet, as after a restore, acknowledges nothing.
    const isReached = await feed.reaches(after)
    note({ edge: request.edge?.id ?? '', seq: isReached ? after : 0 }).catch((error: unknown) =>
      log.warn({ err: error }),
    )

    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const changes = await feed.changesAfter(after, { waitMs, begun, signal: gone.signal })
    if (waitMs > 0) await deps.guard.confirm(request.raw)
    return bodyFor(changes, audienceOf(protocol, request.edge?.servesApi === true))
  }
}

function visit({ serveSite }: ControlDeps, target: string, request: FastifyRequest, reply: FastifyReply): void {
  const { headers } = request.raw
  const found = visitOf(headers[SITE_HEADER], headers[VISITED_HOST_HEADER])
  if (!found) return fail(new Refusal('malformed_request'), request, reply)
  // From an authenticated edge, wherever it runs.
  const given = headers[REQUEST_ID_HEADER]
  if (isRequestId(given)) request.id = given
  serveSite(request, reply, { ...found, target })
}

function createServer(
  deps: ControlDeps,
  answerOdd: (request: FastifyRequest, reply: FastifyReply) => void,
): FastifyInstance {
  // A target that cannot be decoded may still be a visitor's request.
  const app: FastifyInstance = fastify(formServerSettings(deps, { role: 'control', answerOdd, requiresHost: true }))
  nameListener(app.server, 'control')
  drainOnClose(app, deps.shutdown)
  app.decorateRequest('edge')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = Buffer.from(body)
    if (isSignedBody(request.headers.authorization, bytes)) done(null, bytes.toString())
    else done(new Refusal('malformed_request', 'The body is not the one that was signed.'))
  })
  if (!['info', 'debug', 'trace'].includes(deps.logger.level)) return app
  app.addHook('onResponse', (request, reply, done) => {
    if (request.raw.url?.startsWith(`${SITE_PATH}/`)) {
      const { id: requestId, method } = request
      const edge = request.edge?.id
      request.log.info({
        requestId,
        edge,
        method,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      })
    }
    done()
  })
  return app
}

function send(reply: FastifyReply, { text }: Body, status = 200, headers: Readonly<Record<string, string>> = {}): void {
  reply
    .code(status)
    .headers({ ...headers, 'Cache-Control': 'no-store', 'Content-Type': 'application/json' })
    .send(text)
}

function fail(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalOf(error)
  if (refusal.status >= 500 && errorKindOf(error) !== 'outage') request.log.error({ requestId: request.id, err: error })
  send(reply, { text: bodyOf(refusal) }, refusal.status, refusal.headers)
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated edge, on the listener for edges. */
    edge?: KnownEdge | undefined
  }
}
