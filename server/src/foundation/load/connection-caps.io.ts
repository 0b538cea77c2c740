// `capConnections` limits the connections of a server whose clients authenticate their requests: narrowly until one of
// its requests has been authenticated, and in all.
// - Room is made by closing the oldest of those that wait, one whose request was rejected before the others. The newest
//   is never refused: a client that holds all places would keep the others out. The first request of an honest client
//   arrives with its connection, before several others can be accepted; any other choice could hit it before that.
// - Where all addresses together have too many, it is one of the address group that has the most, and among authenticated
//   ones of the client that has the most, so that others keep theirs.
// - A connection does not wait while its request is examined, so a client may open many at once.
// - After a rejection a connection is not read for a while; it is closed after a few, or when its time is over.
// - Connections of trusted proxies carry the requests of many clients and have no cap: the proxy must limit them.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressGroup } from '../address-group.ts'
import { Refusal } from '../refusal.ts'
import { SECOND } from '../time.ts'
import type { ConnectionGuard } from './admission.io.ts'
import { clientOf, proxiesOf } from '../http/proxies.io.ts'

export type ConnectionCaps = ConnectionGuard & {
  /** The client that the previous request on this connection was authenticated as. */
  knownAs(socket: Socket): string | undefined
  /** Runs the authentication of a request, which is rejected if that throws a refusal. */
  examine<Client extends { id: string }>(
    exchange: { request: IncomingMessage; response: ServerResponse },
    authenticate: (knownAs: string | undefined) => Promise<Client>,
  ): Promise<Client>
}

/** Open at a time: in all; of those not authenticated, in all and of an address group. */
export type Caps = { most: number; mostUnknown: number; mostUnknownOfGroup: number }

/** A client with a wrong clock or a new token reads why before it has to connect again. */
const REJECTIONS_MAX = 3

type Connection = {
  readonly socket: Socket
  readonly group: string
  /** Undefined until a request has been authenticated, and after one was rejected. */
  client?: string | undefined
  since: number
  rejections: number
  isExamined: boolean
}

/** A connection authenticates a request within `patienceMs`. `hold` does not read one for a while. */
export function capConnections(
  server: Server,
  caps: Caps,
  {
    patienceMs,
    trustedProxies,
    hold,
  }: { patienceMs: number; trustedProxies: readonly string[]; hold: (socket: Socket) => void },
): ConnectionCaps {
  const proxies = proxiesOf(trustedProxies)
  const bySocket = new WeakMap<Socket, Connection>()
  // The oldest first.
  const open = new Set<Connection>()
  let closed = 0
  const close = (connection: Connection) => {
    closed += 1
    open.delete(connection)
    // At once, and nothing of it stays in the kernel.
    connection.socket.resetAndDestroy()
  }

  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket
    if (proxies.has(remoteAddress)) return
    const group = addressGroup(remoteAddress)
    const connection: Connection = { socket, group, since: performance.now(), rejections: 0, isExamined: false }
    bySocket.set(socket, connection)
    open.add(connection)
    socket.once('close', () => open.delete(connection))
    const surplus = surplusOf(connection, [...open], caps)
    if (surplus) close(surplus)
  })
  const sweep = () => {
    const until = performance.now() - patienceMs
    for (const connection of open) if (isWaiting(connection) && connection.since < until) close(connection)
  }
  const timer = setInterval(sweep, Math.min(SECOND, patienceMs / 2)).unref()
  server.once('close', () => clearInterval(timer))

  const knownAs = (socket: Socket) => bySocket.get(socket)?.client
  return {
    knownAs,
    async examine({ request, response }, authenticate) {
      const connection = bySocket.get(request.socket)
      if (!connection) return authenticate(undefined)
      const { client, socket, isExamined } = connection
      // Several requests before the response to the first: no client of ours sends that.
      if (client === undefined && isExamined) close(connection)
      if (socket.destroyed) throw new Refusal('rate_limited')
      connection.isExamined = true
      try {
        const found = await authenticate(client)
        Object.assign(connection, { client: found.id, rejections: 0 })
        return found
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        if (client !== undefined) connection.since = performance.now()
        connection.client = undefined
        connection.rejections += 1
        if (connection.rejections < REJECTIONS_MAX) hold(socket)
        else response.shouldKeepAlive = false
        throw error
      } finally {
        connection.isExamined = false
      }
    },
    // A client that is authenticated may send the requests of many, as a proxy does.
    mayHold: (socket) => bySocket.has(socket) && knownAs(socket) === undefined,
    groupOf: (request) => bySocket.get(request.socket)?.group ?? addressGroup(clientOf(request, proxies)),
    rejected(isReset = false) {
      const count = closed
      if (isReset) closed = 0
      return count
    },
  }
}

const isWaiting = ({ client, isExamined }: Connection) => client === undefined && !isExamined

/** The connection that makes room for the newest, if there are too many. */
function surplusOf({ group }: Connection, open: readonly Connection[], caps: Caps): Connection | undefined {
  const waiting = open.filter(isWaiting)
  const ofGroup = waiting.filter((connection) => connection.group === group)
  if (ofGroup.length > caps.mostUnknownOfGroup) return worstOf(ofGroup)
  if (waiting.length > caps.mostUnknown) return worstOf(largestOf(waiting))
  if (open.length <= caps.most) return undefined
  const unknown = open.filter(({ client }) => client === undefined)
  return worstOf(unknown.length > 1 ? unknown : largestOf(open))
}

/** The oldest one whose request was rejected, otherwise the oldest. */
const worstOf = (connections: readonly Connection[]): Connection | undefined =>
  connections.find(({ rejections }) => rejections > 0) ?? connections[0]

/** Those of the client, or the address group, that has the most. */
const largestOf = (connections: readonly Connection[]): readonly Connection[] =>
  [...Map.groupBy(connections, ({ client, group }) => client ?? group).values()].reduce((most, one) =>
    one.length > most.length ? one : most,
  )
