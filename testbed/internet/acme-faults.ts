// A proxy in front of pebble that does what pebble cannot: it responds with limits, outages and
// rejections, loses responses, returns wrong certificates, and supports renewal information.
// Requests without a rule pass unchanged; all requests are counted.
//
// It terminates TLS. pebble builds every address from the Host header of the request, so the
// client's own Host is passed on and all addresses lead through the proxy.

import { createServer, request, Agent } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import {
  createAcmeState,
  endpointOf,
  jsonFrom,
  jsonReply,
  payloadOf,
  type AcmeExchange,
  type AcmeEndpoint,
  type AcmeJson,
  type AcmeReply,
} from './acme-exchange.ts'
import { problemReply, rateLimits, type FaultAction, type AcmeFault } from './acme-fault-rules.ts'
import type { Pebble } from './pebble.ts'
import { closeTcp, listen } from './ports.ts'

export { acmeFault, type AcmeFault } from './acme-fault-rules.ts'

export type RenewalAnswer = { start: string; end: string; retryAfter?: string } | 'missing' | 'garbage'

export type AcmeFaults = {
  directoryUrl: string
  tlsRootPem: string
  /** Rules apply in the order they were given; each until it has been applied `times` times. */
  next(...faults: readonly AcmeFault[]): void
  /** Everything passes unchanged again, without limits and renewal information. */
  clear(): void
  /** Number of requests for that resource, or of all. */
  asked(endpoint?: AcmeEndpoint): number
  /** Every requested order, oldest first. */
  orders(): readonly { hostname: string; replaces: string | null; at: number; status: number }[]
  /** At most this many orders within the window; then 429 until there is room again. */
  limitOrders(limit: { count: number; windowMs: number }): void
  /** From now on the directory offers it; the id is built as in RFC 9773. */
  offerRenewalInfo(answer: (certificateId: string) => RenewalAnswer): void
  /** Moves the address for nonces: a cached directory is no longer valid. */
  moveDirectory(): void
  close(): Promise<void>
}

type State = {
  faults: { fault: AcmeFault; left: number }[]
  limit: { count: number; windowMs: number } | null
  granted: number[]
  renewal: ((certificateId: string) => RenewalAnswer) | null
  noncePath: string
}

export async function startAcmeFaults(pebble: Pebble): Promise<AcmeFaults> {
  const fresh = { limit: null, renewal: null }
  let state: State = { ...fresh, faults: [], granted: [], noncePath: '/nonce-plz' }
  const memory = createAcmeState()
  const failed = new Map<string, AcmeJson>()
  const counts = new Map<AcmeEndpoint, number>()
  const orders: { hostname: string; replaces: string | null; at: number; status: number }[] = []
  const agent = new Agent({ ca: pebble.tlsRootPem, keepAlive: true, timeout: 3_000 })
  const connections = new Set<Socket>()

  const answerFor = async (exchange: AcmeExchange): Promise<AcmeReply | 'reset' | 'hang' | 'stall' | 'babble'> => {
    const due = dueRule(state, exchange)
    const action = due?.fault.action
    if (due !== undefined) due.left -= 1
    if (action?.does === 'answer') return action.reply
    if (action?.does === 'reset' || action?.does === 'hang' || action?.does === 'babble') return action.does
    if (action?.does === 'fail' || action?.does === 'ignore') return swallow(exchange, action)
    const own = ownAnswer(state, exchange)
    if (own !== null) return own
    const reply = await forward(pebble.host, agent, { ...exchange, path: upstreamPath(state, exchange.path) })
    if (isBadNonce(reply)) {
      // The client retries automatically, so this was not yet the request that the rule is for.
      if (due !== undefined) due.left += 1
      return reply
    }
    if (exchange.endpoint === 'newOrder') state.granted.push(Date.now())
    memory.learnFrom(exchange, reply)
    if (action?.does === 'lose') return 'reset'
    if (action?.does === 'stall') return 'stall'
    const judged = judge(reply, exchange)
    return action?.does === 'bend' ? action.bend(judged, exchange, memory) : judged
  }

  /** The challenge is accepted; its outcome is decided here. */
  const swallow = ({ path }: AcmeExchange, action: FaultAction): AcmeReply => {
    const authorization = memory.authorizationOf(path)
    if (action.does === 'fail') {
      failed.set(authorization, action.problem)
      failed.set(memory.orderOf(authorization), action.problem)
    }
    const body = { ...memory.challengeAt(path), status: 'processing' }
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  }

  /** A failed authorization stays failed, although pebble has no record of it. */
  const judge = (reply: AcmeReply, { endpoint, path }: AcmeExchange): AcmeReply => {
    const body = jsonFrom(reply.body)
    if (endpoint === 'directory' && body !== null) return jsonReply(reply, directoryOf(state, body))
    const problem = failed.get(path)
    if (problem === undefined || body === null) return reply
    const challenges = (body['challenges'] as AcmeJson[] | undefined)?.map((one) =>
      one['type'] === 'http-01' ? { ...one, status: 'invalid', error: problem } : one,
    )
    return jsonReply(reply, { ...body, status: 'invalid', ...(challenges === undefined ? {} : { challenges }) })
  }

  const server = createServer({ key: pebble.tlsKeyPem, cert: pebble.tlsRootPem }, (incoming, response) => {
    void (async () => {
      const exchange = await read(incoming, (path) => memory.hostnameAt(path))
      counts.set(exchange.endpoint, (counts.get(exchange.endpoint) ?? 0) + 1)
      // pebble may be stopped, which looks from outside as if it did not exist.
      const answer = await answerFor(exchange).catch(() => 'reset' as const)
      const status = typeof answer === 'string' ? 0 : answer.status
      if (exchange.endpoint === 'newOrder') {
        const replaces = exchange.payload?.['replaces']
        const known = typeof replaces === 'string' ? replaces : null
        orders.push({ hostname: exchange.hostname ?? '', replaces: known, at: Date.now(), status })
      }
      send(answer, response)
    })().catch(() => incoming.destroy())
  })
  server.on('connection', (connection: Socket) => {
    connections.add(connection)
    connection.on('error', () => undefined)
    connection.on('close', () => connections.delete(connection))
  })
  await listen(server, 0, '127.0.0.1')
  const { port } = server.address() as AddressInfo

  return {
    directoryUrl: `https://127.0.0.1:${port}/dir`,
    tlsRootPem: pebble.tlsRootPem,
    next: (...faults) => state.faults.push(...faults.map((fault) => ({ fault, left: fault.times ?? 1 }))),
    clear: () => {
      // Addresses that have moved stay moved: clients may know them already.
      state = { ...state, ...fresh, faults: [], granted: [] }
    },
    asked: (endpoint) =>
      endpoint === undefined ? [...counts.values()].reduce((sum, one) => sum + one, 0) : (counts.get(endpoint) ?? 0),
    orders: () => orders,
    limitOrders: (limit) => {
      state.limit = limit
    },
    offerRenewalInfo: (answer) => {
      state.renewal = answer
    },
    moveDirectory: () => {
      state.noncePath = `/nonces-${Date.now()}`
    },
    async close() {
      for (const connection of connections) connection.destroy()
      agent.destroy()
      await closeTcp(server)
    },
  }
}

const dueRule = (state: State, { endpoint, hostname }: AcmeExchange): State['faults'][number] | undefined =>
  state.faults.find(({ fault, left }) => left > 0 && fits(fault, endpoint, hostname))

const isBadNonce = ({ status, body }: AcmeReply): boolean => status === 400 && body.includes('acme:error:badNonce')

const fits = ({ on, hostname: wanted }: AcmeFault, endpoint: AcmeEndpoint, hostname: string | null): boolean =>
  (on === 'any' || on === endpoint || (Array.isArray(on) && on.includes(endpoint))) &&
  (wanted === undefined || wanted === hostname)

/** Resources that pebble does not have. */
function ownAnswer(state: State, { endpoint, path }: AcmeExchange): AcmeReply | null {
  if (endpoint === 'newOrder') return overLimit(state)
  if (endpoint === 'nonce' && path !== state.noncePath) return problemReply({ type: 'malformed', status: 404 })
  if (endpoint !== 'renewalInfo') return null
  const answer = state.renewal?.(path.slice('/renewal-info/'.length)) ?? 'missing'
  if (answer === 'missing') return problemReply({ type: 'malformed', status: 404, detail: 'Certificate not found' })
  const headers = { 'content-type': 'application/json' }
  if (answer === 'garbage') return { status: 200, headers, body: '{"suggestedWindow":{"start":"soon"}}' }
  const { start, end, retryAfter } = answer
  const later = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
  return { status: 200, headers: { ...headers, ...later }, body: JSON.stringify({ suggestedWindow: { start, end } }) }
}

function overLimit(state: State): AcmeReply | null {
  if (state.limit === null) return null
  const { count, windowMs } = state.limit
  const now = Date.now()
  state.granted = state.granted.filter((at) => at > now - windowMs)
  const [oldest] = state.granted
  if (state.granted.length < count || oldest === undefined) return null
  const until = oldest + windowMs
  const detail = rateLimits['account']?.(until) ?? ''
  return problemReply({ type: 'rateLimited', status: 429, detail }, `${Math.ceil((until - now) / 1000)}`)
}

function directoryOf({ renewal, noncePath }: State, directory: AcmeJson): AcmeJson {
  const origin = new URL(String(directory['newNonce'])).origin
  const more = renewal === null ? {} : { renewalInfo: `${origin}/renewal-info/` }
  return { ...directory, ...more, newNonce: `${origin}${noncePath}` }
}

const upstreamPath = ({ noncePath }: State, path: string): string => (path === noncePath ? '/nonce-plz' : path)

async function read(incoming: IncomingMessage, hostnameAt: (path: string) => string | null): Promise<AcmeExchange> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  const body = Buffer.concat(parts)
  const path = incoming.url ?? '/'
  const endpoint = path.startsWith('/nonces-') ? 'nonce' : endpointOf(path)
  const payload = payloadOf(body)
  const [first] = (payload?.['identifiers'] as AcmeJson[] | undefined) ?? []
  const hostname = typeof first?.['value'] === 'string' ? first['value'] : hostnameAt(path)
  return {
    endpoint,
    method: incoming.method ?? 'GET',
    path,
    host: incoming.headers.host ?? '',
    body,
    payload,
    hostname,
  }
}

function forward(upstream: string, agent: Agent, { method, path, host, body }: AcmeExchange): Promise<AcmeReply> {
  return new Promise((resolve, reject) => {
    const headers = {
      host,
      'content-type': 'application/jose+json',
      'content-length': body.length,
      'user-agent': 'proxy',
    }
    const forwarded = request(`https://${upstream}${path}`, { method, agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => (text += part))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: plain(response.headers), body: text }),
      )
    })
    forwarded.on('error', reject)
    forwarded.end(body)
  })
}

const perHop = ['content-length', 'transfer-encoding', 'connection', 'date', 'keep-alive']

const plain = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !perHop.includes(name))
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )

function send(answer: AcmeReply | 'reset' | 'hang' | 'stall' | 'babble', response: ServerResponse): void {
  if (answer === 'hang') return
  const { socket } = response
  if (answer === 'reset') return void socket?.destroy()
  if (answer === 'babble') return void socket?.end('SSH-2.0-OpenSSH_9.2\r\n')
  if (answer === 'stall') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000 }).write('{"status": ')
    return
  }
  response.writeHead(answer.status, answer.headers).end(answer.body)
}
