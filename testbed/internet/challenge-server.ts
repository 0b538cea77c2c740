// The smallest website that a certificate authority can validate: it serves the tokens it was
// given and nothing else. In the product the edge serves them; this is for tests of what comes
// before there is an edge.

import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { closeTcp, listen } from './ports.ts'

export type ChallengeServer = {
  address: string
  port: number
  /** Served at http://<hostname>/.well-known/acme-challenge/<token> from now on. */
  put(hostname: string, token: string, keyAuthorization: string): void
  forget(hostname: string): void
  /** Requests until now, oldest first. */
  asked(): readonly { hostname: string; path: string; status: number }[]
  close(): Promise<void>
}

const folder = '/.well-known/acme-challenge/'

/** On a free port of that address if none is given. */
export async function startChallengeServer({ address = '127.0.80.200', port = 0 } = {}): Promise<ChallengeServer> {
  const answers = new Map<string, Map<string, string>>()
  const asked: { hostname: string; path: string; status: number }[] = []
  const connections = new Set<Socket>()
  const server = createServer((request, response) => {
    const [hostname, path] = [hostnameOf(request), request.url ?? '/']
    const answer = path.startsWith(folder) ? answers.get(hostname)?.get(path.slice(folder.length)) : undefined
    const status = answer === undefined ? 404 : 200
    asked.push({ hostname, path, status })
    response.writeHead(status, { 'content-type': 'application/octet-stream' }).end(answer ?? 'Not found.')
  })
  server.on('connection', (connection: Socket) => {
    connections.add(connection)
    connection.on('close', () => connections.delete(connection))
  })
  await listen(server, port, address)
  return {
    address,
    port: (server.address() as AddressInfo).port,
    put: (hostname, token, keyAuthorization) => {
      const known = answers.get(hostname) ?? new Map<string, string>()
      answers.set(hostname, known.set(token, keyAuthorization))
    },
    forget: (hostname) => void answers.delete(hostname),
    asked: () => asked,
    close: async () => {
      for (const connection of connections) connection.destroy()
      await closeTcp(server)
    },
  }
}

const hostnameOf = ({ headers }: IncomingMessage): string => (headers.host ?? '').replace(/:\d+$/, '').toLowerCase()
