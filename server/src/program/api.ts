// The composition root of the HTTP server: its dependencies, and its features, listed by hand. It
// also contains what every response of `/v1` has in common: authentication, rate limits, and the
// requirements of HTTP on every path.

import type { IncomingMessage } from 'node:http'
import { contractDocument } from '@petstore-platform/contract/document'
import { operations, type Operation } from '@petstore-platform/contract/operations'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openPetStore } from '../animals/batched-pets.io.ts'
import { petNotFound, petRoutes } from '../animals/v1-pet-routes.ts'
import { serviceProbeRoute } from '../fleet/probe-routes.ts'
import { addressGroup } from '../foundation/address-group.ts'
import { deprecationHeaders, refuseRemoved } from '../foundation/http/deprecation.ts'
import { documentRoute } from '../foundation/http/document-routes.ts'
import { healthRoutes } from '../foundation/http/health-routes.ts'
import { createHttp, header } from '../foundation/http/http.io.ts'
import type { Mounting } from '../foundation/http/operation.io.ts'
import { decodedPathOf, pathsOf } from '../foundation/http/paths.ts'
import { sendPreflight } from '../foundation/http/preflight-routes.ts'
import { admissionRules } from '../foundation/load/admission.ts'
import { moreThanQuota, policyOf, rateLimitOf } from '../foundation/load/rate-limit.io.ts'
import { Refusal, quoted } from '../foundation/refusal.ts'
import { instantFrom, type Clock } from '../foundation/time.ts'
import { messageCodes } from '../mail/message-codes.io.ts'
import { orderRoutes } from '../orders/v1-order-routes.ts'
import { refuseNarrow, type Caller } from '../projects/guard.io.ts'
import { unsubscribeRoutes } from '../projects/notification-routes.ts'
import type { V1 } from '../projects/v1.ts'
import { dashboardRoutes } from '../web/dashboard-routes.ts'
import { referenceRoutes } from '../web/reference-routes.ts'
import type { Config } from './config.ts'
import { PLATFORM_PREFIX, platformOf } from './platform-api.ts'
import { requestKindsOf } from './request-kinds.ts'
import type { ServiceContext } from './service-context.ts'

export async function buildApp(context: ServiceContext): Promise<FastifyInstance> {
  const { config, database, inProject, now, plans } = context
  const document = contractDocument({ ...config.addresses, contact: config.contact })
  const enter = entrance(context)
  const requestHeaders = ['Idempotency-Key', ...(config.sunsetRehearsal ? ['Petstore-Now'] : [])]
  const deprecations = new Map(operations.map((operation) => [operation.path, headersOf(operation, config)]))

  const kindOf = requestKindsOf(PLATFORM_PREFIX)
  const platform = platformOf(context)
  const deprecationsOf = (url: string) => deprecations.get(pathOf(url) ?? '') ?? []
  const answerUnknown = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    request.responseHeaders.push(...deprecationsOf(request.url))
    if (request.method === 'OPTIONS') return sendPreflight(request, reply, allowOf(pathOf(request.url)), requestHeaders)
    await enter(request)
    return refuse(request, unreadable)
  }

  const app = createHttp({
    logger: context.logger ?? { level: config.logLevel },
    newRequestId: context.newRequestId,
    trustedProxies: config.trustedProxies,
    requestTimeoutMs: config.requestTimeoutMs,
    headersTimeoutMs: config.headersTimeoutMs,
    shutdown: config.shutdown,
    headersOf: deprecationsOf,
    onBadTarget: async (request, reply) => {
      const path = decodedPathOf(request.url)
      if (path.startsWith('/v1/')) await answerUnknown(request, reply)
      else if (path.startsWith(`${PLATFORM_PREFIX}/`)) await platform.answerUnknown(request, reply)
      else throw new Refusal('not_found')
    },
    admission: {
      rules: { ...admissionRules, ...context.admission },
      connectionsMax: config.limitTable.other.connections,
      kindOf: ({ method = '', url = '' }) => kindOf(method, url),
      senderOf: (request) => projectOf(context.guard, request),
    },
  })
  healthRoutes(app, database)
  serviceProbeRoute(app, config.probeSecret?.reveal())
  documentRoute(app, '/v1/openapi.json', document)
  await app.register(referenceRoutes(document, platform.document, context.referenceAssets, config.deprecatedSince))
  await app.register(dashboardRoutes(context.dashboardAssets))
  const codes = messageCodes(database.run, 'unsubscribe', context.randomBytes)
  await app.register(unsubscribeRoutes(context, codes))

  await app.register(
    async (v1) => {
      v1.setNotFoundHandler(answerUnknown)
      const mounting: Mounting<Caller, Operation> = {
        enter,
        admit: (caller, operation, at) => {
          // Before the refusal: clients that still call a removed operation are to be found too.
          if (operation.deprecation) context.keyUses.note(caller, true)
          refuseRemoved(operation, at)
          refuseNarrow(caller.scopes, operation.scope)
        },
        headersOf: ({ path }) => deprecations.get(path) ?? [],
        now: (request) => (config.sunsetRehearsal ? rehearsedNow(request, now) : now()),
      }
      const shared: V1 = { inProject, plans, baseUrl: config.baseUrl, mounting }
      petRoutes(v1, shared, openPetStore(database))
      orderRoutes(v1, shared)
    },
    { prefix: '/v1' },
  )
  await app.register(platform.routes, { prefix: PLATFORM_PREFIX })
  return app
}

const headersOf = (operation: Operation, config: Config) => Object.entries(deprecationHeaders(operation, config)).flat()

/** Admission to `/v1`, the same for every path: the key, then its quota. */
function entrance({ config, guard, keyUses, quotas }: ServiceContext) {
  const { windowSeconds } = config.limits
  const perKey = quotas.limit('quota_key', { name: 'key', points: config.limits.perKey, windowSeconds })
  const perProject = quotas.limit('quota_project', { name: 'project', points: config.limits.perProject, windowSeconds })
  const policy = policyOf([perKey.quota, perProject.quota])

  return async (request: FastifyRequest): Promise<Caller> => {
    const authorizations = authorizationsOf(request.raw)
    const caller =
      guard.recognise(authorizations) ?? (await guard.authenticate(authorizations, addressGroup(request.ip)))
    request.logged = { project: String(caller.project), key: caller.keyId }
    keyUses.note(caller)

    const key = await perKey.use(caller.keyId)
    const project = key.isOver
      ? await perProject.look(String(caller.project))
      : await perProject.use(String(caller.project))
    request.responseHeaders.push('RateLimit-Policy', policy, 'RateLimit', rateLimitOf(key, project))
    const over = key.isOver ? key : project.isOver ? project : undefined
    if (over) throw moreThanQuota('requests', over)
    return caller
  }
}

/** An identifier that cannot be decoded belongs to no animal. */
const unreadable = (path: string) =>
  path.includes('{') ? petNotFound() : new Refusal('malformed_request', 'The request target is not valid.')

const { pathOf, allowOf, refuse } = pathsOf('/v1', operations, '/openapi.json')

/** Node keeps the first of two Authorization headers; two are a fault of the credential, so they are counted. */
function authorizationsOf({ rawHeaders }: IncomingMessage): string[] {
  const found: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length === 13 && name.toLowerCase() === 'authorization') found.push(rawHeaders[index + 1] ?? '')
  }
  return found
}

/** Only if its key is cached: admission control waits for nothing. */
function projectOf(guard: ServiceContext['guard'], request: IncomingMessage): string | undefined {
  const authorizations = authorizationsOf(request)
  return authorizations.length === 0 ? undefined : guard.recognise(authorizations)?.project.toString()
}

/** Only the dates of the contract follow it. Keys, limits and stored times use the actual clock. */
function rehearsedNow(request: FastifyRequest, now: Clock): number {
  const requested = header(request, 'petstore-now')
  if (requested === undefined) return now()
  const instant = instantFrom(requested)
  if (instant === undefined) {
    throw new Refusal('invalid_parameter', `Header 'Petstore-Now' must be an RFC 3339 time; got ${quoted(requested)}.`)
  }
  return instant
}
