// The web servers of a test internet: one per role, each at an address of its own and all on one
// port, so that a probe reaches them as it would reach the real ones. A test may replace the
// responses of any of them. With `tls` they serve HTTPS as well, on a second port and with an
// untrusted certificate.

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { createServer as createTcp, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import type { ProbeDeps } from '../../server/src/domains/observing/probe.io.ts'
import { closeTcp, listen } from './ports.ts'
import { run } from './processes.ts'
import { network } from './roles.ts'
import { webRoles, type Answering, type WebRoleName } from './web-roles.ts'

export { webRoles, type WebRoleName } from './web-roles.ts'

export type Web = {
  port: number
  tlsPort: number
  allowedNetworks: readonly string[]
  /** Dependencies with which our probe uses these servers. */
  probing: ProbeDeps
  addressOf(role: WebRoleName): string
  /** From now on this responds at that role's address. */
  serve(role: WebRoleName, answer: Answering): Promise<void>
}

export type WebOptions = { port: number; tlsPort: number; directory: string; hasTls: boolean }

const NETWORKS = [`${network}.80.0/24`]

export async function startWeb(options: WebOptions, closers: (() => Promise<void> | void)[]): Promise<Web> {
  const answers = new Map<WebRoleName, Answering>()
  const connections = new Set<Socket>()
  const servers: Server[] = []
  closers.push(async () => {
    for (const connection of connections) connection.destroy()
    await Promise.all(servers.map(closeTcp))
  })
  const certificate = options.hasTls ? await makeCertificate(options.directory) : null

  const open = async (server: Server, port: number, address: string): Promise<void> => {
    server.on('connection', (connection: Socket) => {
      connections.add(connection)
      connection.on('error', () => undefined)
      connection.on('close', () => connections.delete(connection))
    })
    await listen(server, port, address)
    servers.push(server)
  }
  const openHttp = async (role: WebRoleName): Promise<void> => {
    const { address } = webRoles[role]
    const answerAs = (scheme: 'http' | 'https', port: number) => createAnswer(() => answers.get(role), scheme, port)
    await open(createHttp(answerAs('http', options.port)), options.port, address)
    if (certificate !== null)
      await open(createHttps(certificate, answerAs('https', options.tlsPort)), options.tlsPort, address)
  }
  await Promise.all(
    (Object.keys(webRoles) as WebRoleName[]).map(async (role) => {
      const { address, does } = webRoles[role]
      if (does === 'refuse') return
      if (typeof does !== 'function')
        return open(
          createTcp((connection) => misbehave(connection, does)),
          options.port,
          address,
        )
      answers.set(role, does)
      await openHttp(role)
    }),
  )
  return {
    port: options.port,
    tlsPort: options.tlsPort,
    allowedNetworks: NETWORKS,
    probing: {
      secret: randomBytes(16).toString('hex'),
      port: options.port,
      tlsPort: options.tlsPort,
      allowedNetworks: NETWORKS,
      newNonce: () => randomBytes(16).toString('hex'),
    },
    addressOf: (role) => webRoles[role].address,
    async serve(role, answer) {
      const isOpen = answers.has(role)
      if (!isOpen && webRoles[role].does !== 'refuse')
        throw new Error(`${role} does not speak HTTP, so nothing can be served there.`)
      answers.set(role, answer)
      if (!isOpen) await openHttp(role)
    },
  }
}

const createAnswer =
  (answer: () => Answering | undefined, scheme: 'http' | 'https', port: number): RequestListener =>
  (request, response) =>
    answer()?.(request, response, { scheme, port })

function misbehave(connection: Socket, how: 'hang' | 'reset' | 'noise'): void {
  connection.on('error', () => undefined)
  if (how === 'hang') return
  connection.once('data', () =>
    how === 'reset' ? connection.resetAndDestroy() : connection.end('SSH-2.0-OpenSSH_9.2\r\n'),
  )
}

async function makeCertificate(directory: string): Promise<{ key: string; cert: string }> {
  const [key, cert] = [join(directory, 'web-key.pem'), join(directory, 'web-cert.pem')]
  const kind = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=untrusted.test',
  ]
  await run('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', cert])
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
}
