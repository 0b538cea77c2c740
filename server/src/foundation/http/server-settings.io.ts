// The settings that every HTTP server of this program shares: time-outs, proxies, connections and
// what is logged. What differs (the size of bodies, how faults are answered) is added by each.

import type { Server } from 'node:http'
import { LogController, type FastifyHttpOptions, type FastifyReply, type FastifyRequest } from 'fastify'
import { newRequestId } from '../ids.io.ts'
import { loggerSettings, type LogRole } from './log-lines.io.ts'
import { requestIdsFrom } from './proxies.io.ts'
import type { Shutdown } from './draining.io.ts'

export type ServerSettings = {
  logger: { level: string; stream?: { write(line: string): void } }
  trustedProxies: readonly string[]
  requestTimeoutMs: number
  headersTimeoutMs: number
  shutdown?: Shutdown
}

export const serverSettings = (
  { logger, trustedProxies, requestTimeoutMs, headersTimeoutMs }: ServerSettings,
  role: LogRole,
) =>
  ({
    logger: loggerSettings(logger, role),
    // Each server writes its own line for a request, and that needs no logger of its own.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (parent) => parent,
    requestIdHeader: false,
    genReqId: requestIdsFrom(trustedProxies, newRequestId),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    exposeHeadRoutes: false,
    // A request that arrives during shutdown still gets a response, with `Connection: close`.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: 65_000,
    http: { headersTimeout: headersTimeoutMs },
  }) satisfies FastifyHttpOptions<Server>

/** The largest body of a form, from a visitor and from an edge that forwards it. */
export const FORM_BYTES_MAX = 32_768

type Odd = {
  role: LogRole
  /** Answers a target that cannot be decoded. */
  answerOdd: (request: FastifyRequest, reply: FastifyReply) => void
  /** Whether Node answers a request without a Host; otherwise the server checks it. */
  requiresHost: boolean
}

/** For servers in which one handler reads the target itself: the router decodes nothing, and bodies are forms. */
export function formServerSettings(settings: ServerSettings, { role, answerOdd, requiresHost }: Odd) {
  const common = serverSettings(settings, role)
  return {
    ...common,
    bodyLimit: FORM_BYTES_MAX,
    routerOptions: { maxParamLength: 16_384, querystringParser: () => ({}) },
    http: { ...common.http, requireHostHeader: requiresHost },
    // Input that is not HTTP gets neither page nor error body, and the connection is closed.
    clientErrorHandler: (_, socket) => {
      if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
    },
    frameworkErrors: (_, request, reply) => answerOdd(request, reply),
  } satisfies FastifyHttpOptions<Server>
}
