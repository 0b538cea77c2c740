// The negative control: a proxy between the control plane and its edges that hides from one of
// them that a domain was removed. That edge receives another hostname in its place, so it
// applies the change, confirms it, and continues to serve the domain: exactly what must never
// happen, and what the measurement must detect.

import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CHANGES_PATH, type Changes } from '../../../server/src/fleet/protocol.ts'
import { readSignature } from '../../../server/src/fleet/request-signature.io.ts'

export type DroppingProxy = {
  /** The control-plane address of an edge, for the real port. */
  urlFor(port: number): string
  /** Until then everything passes unchanged. */
  begin(): void
  close(): Promise<void>
}

export async function startDroppingProxy(): Promise<DroppingProxy> {
  const agent = new Agent({ keepAlive: true })
  let controlPort = 0
  let blockedEdge: string | undefined
  let hasBegun = false
  const server = createServer((incoming, outgoing) => {
    // The first one that has enrolled.
    const edge = readSignature(incoming.headers.authorization)?.id
    blockedEdge ??= edge
    const isBlocked = edge === blockedEdge && incoming.url?.startsWith(CHANGES_PATH) === true
    // Decided when the response comes, which may be long after the request.
    const change = (text: string) => (isBlocked && hasBegun ? withoutGone(text) : text)
    pass(incoming, outgoing, { agent, port: controlPort, bend: change })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    urlFor(port) {
      controlPort = port
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    begin() {
      hasBegun = true
    },
    async close() {
      agent.destroy()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

type Passing = { agent: Agent; port: number; bend: (text: string) => string }

function pass(incoming: IncomingMessage, outgoing: ServerResponse, { agent, port, bend: change }: Passing): void {
  const { method, url, headers } = incoming
  const forwarded = request({ host: '127.0.0.1', port, agent, method, path: url, headers }, (answer) => {
    const parts: Buffer[] = []
    answer.on('data', (part: Buffer) => parts.push(part))
    answer.on('error', () => outgoing.destroy())
    answer.on('end', () => {
      const body = Buffer.concat(parts)
      const bent =
        answer.headers['content-type']?.includes('json') === true ? Buffer.from(change(body.toString())) : body
      const { 'content-length': _, 'transfer-encoding': __, ...rest } = answer.headers
      outgoing.writeHead(answer.statusCode ?? 502, { ...rest, 'content-length': bent.length })
      outgoing.end(bent)
    })
  })
  forwarded.on('error', () => outgoing.destroy())
  outgoing.on('close', () => forwarded.destroy())
  incoming.pipe(forwarded)
}

function withoutGone(text: string): string {
  const changes = JSON.parse(text) as Changes
  if (!Array.isArray(changes.routes)) return text
  const routes = changes.routes.map((route) => (route.kind === 'gone' ? { ...route, hostname: 'never.test' } : route))
  return JSON.stringify({ ...changes, routes })
}
