// A connection between an edge and its control plane that can be interrupted, for drills. Whole:
// everything passes unchanged. Cut: open connections are reset and new ones refused, as by a
// closed port. Silent: connections are accepted and nothing is ever returned, as by a firewall
// that drops packets. Or only requests for certificates get bad responses, while everything else
// passes.

import { once } from 'node:events'
import { Agent, createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { readSignature } from '../../server/src/fleet/request-signature.io.ts'

export const certificateFaults = ['hang', 'headers', 'drip', 'nonsense', 'html', 'error', 'break'] as const
export type CertificateFault = (typeof certificateFaults)[number]

export type Line = {
  url: string
  /** Sets the target port; before that nothing passes. */
  leadTo(port: number): void
  cut(): Promise<void>
  silence(): void
  /** Everything passes again. */
  restore(): Promise<void>
  /** The time, by the monotonic clock, of the first response since then that reached the edge with this id. */
  answeredAt(edge: string): number | undefined
  /** Responses to certificate requests from now on; undefined: those of the control plane. */
  certificates(how: CertificateFault | undefined): void
  /** Certificate requests since then. */
  asked(): number
  close(): Promise<void>
}

type State = { port: number; isSilent: boolean; fault: CertificateFault | undefined; asked: number }

export async function startLine(): Promise<Line> {
  const state: State = { port: 0, isSilent: false, fault: undefined, asked: 0 }
  const connections = new Set<Socket>()
  let agent = new Agent({ keepAlive: true })
  const answered = new Map<string | undefined, number>()

  const pass = (question: IncomingMessage, response: ServerResponse) => {
    const { method, url: path, headers } = question
    const passing = ask({ host: '127.0.0.1', port: state.port, method, path, headers, agent }, (answer) => {
      const edge = readSignature(headers.authorization)?.id
      if (!answered.has(edge)) answered.set(edge, performance.now())
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on('error', () => response.destroy())
      answer.pipe(response)
    })
    passing.on('error', () => response.destroy())
    response.on('close', () => passing.destroy())
    question.pipe(passing)
  }
  const server = createServer((question, response) => {
    response.on('error', () => undefined)
    if (state.isSilent) return
    const isCertificate = question.url?.startsWith('/edge/v1/certificates/') === true
    if (isCertificate) state.asked += 1
    if (isCertificate && state.fault) return misbehave(state.fault, response)
    pass(question, response)
  })
  server.on('connection', (connection: Socket) => {
    connections.add(connection)
    connection.on('error', () => undefined)
    connection.on('close', () => connections.delete(connection))
  })
  const hangUp = () => {
    for (const connection of connections) connection.resetAndDestroy()
    agent.destroy()
    agent = new Agent({ keepAlive: true })
  }
  const cut = async () => {
    const closed = server.listening ? once(server, 'close') : undefined
    server.close()
    hangUp()
    await closed
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}`,
    leadTo: (to) => void (state.port = to),
    cut,
    silence() {
      state.isSilent = true
      hangUp()
    },
    async restore() {
      state.isSilent = false
      hangUp()
      answered.clear()
      if (!server.listening) await once(server.listen(port, '127.0.0.1'), 'listening')
    },
    answeredAt: (edge) => answered.get(edge),
    certificates(how) {
      Object.assign(state, { fault: how, asked: 0 })
    },
    asked: () => state.asked,
    async close() {
      await cut()
      agent.destroy()
    },
  }
}

function misbehave(how: CertificateFault, response: ServerResponse): void {
  if (how === 'hang') return
  if (how === 'error') return void response.writeHead(503).end('{}')
  if (how === 'nonsense') return void response.writeHead(200).end('{"hostname":7,"chain":null,"key":[]}')
  if (how === 'html') return void response.writeHead(200).end('<html>A proxy says hello.</html>')
  if (how === 'headers') return response.flushHeaders()
  if (how === 'break') {
    response.writeHead(200, { 'Content-Length': 1000 }).write('{"hostname":')
    return void setImmediate(() => response.destroy())
  }
  response.writeHead(200)
  const timer = setInterval(() => response.write(' '), 20)
  response.on('close', () => clearInterval(timer))
}
