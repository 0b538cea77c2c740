// Two ways to serve one page of one hostname over TLS, each on an address of its own. One is the
// lower bound of the cost: Caddy with the page and the certificate in files. The other is ours:
// Caddy as in production, which requests the certificate from the edge and proxies every request
// to it, and the edge in a process of its own, which gets page, certificate and host table from
// a control plane that is scripted here.

import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { freePort } from '../../devserver/free-port.ts'
import { scriptedEnrolment } from '../harness/test-edges.ts'
import { startCaddy, startCaddyWith, type Caddy } from '../internet/caddy.ts'
import { makeDirectory, putFile } from '../internet/processes.ts'
import { caddyConfig } from '../../server/src/edge/caddy-config.ts'
import {
  CERTIFICATES_PATH,
  CHANGES_PATH,
  SITE_PATH,
  type CertificateResponse,
  type Route,
} from '../../server/src/fleet/protocol.ts'
import { makeFakeChain, type FakeChain } from '../harness/fake-chain.ts'

/** One way of serving. `pids` are all processes that take part in it, by name. */
export type EdgePath = { address: string; port: number; pids: Readonly<Record<string, number>> }

export type EdgeWorld = {
  hostname: string
  rootPem: string
  pageBytes: number
  plain: EdgePath
  ours: EdgePath
  stop(): Promise<void>
}

const hostname = 'pets.bench.test'
const PAGE_BYTES = 8192
const line = '<p>Nemo, a clownfish, three years old, is looking for a reef with friendly neighbours.</p>\n'
const page = Buffer.from(
  `<!doctype html>\n<title>Bench</title>\n${line.repeat(100)}`.slice(0, PAGE_BYTES - 1).concat('\n'),
)

type Ended = () => Promise<unknown>

export async function startEdgeWorld(): Promise<EdgeWorld> {
  const chain = await makeFakeChain({ hostnames: [hostname] })
  const endings: Ended[] = []
  const stop = async () => {
    for (const end of endings.splice(0).toReversed()) await end()
  }
  try {
    const plain = await startPlain(chain, endings)
    const ours = await startOurs(chain, endings)
    for (const way of [plain, ours]) await untilServed(way, chain.rootPem)
    return { hostname, rootPem: chain.rootPem, pageBytes: page.length, plain, ours, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The same limits and the same TLS, but no edge to query. */
async function startPlain({ chainPem, keyPem }: FakeChain, endings: Ended[]): Promise<EdgePath> {
  const directory = makeDirectory()
  endings.push(async () => rmSync(directory, { recursive: true, force: true }))
  const [certificate, key] = [join(directory, 'chain.pem'), join(directory, 'key.pem')]
  putFile(certificate, chainPem)
  putFile(key, keyPem)
  putFile(join(directory, 'site/index.html'), page.toString())
  const listening = { addresses: ['127.0.80.51'], httpPort: await freePort(), httpsPort: await freePort() }
  const caddy = await startCaddyWith(listening, (storage) => {
    const usual = caddyConfig({ ...listening, storage, requestPort: 9, certificatePort: 9 })
    const { tls } = usual.apps.http.servers
    const routes = [{ handle: [{ handler: 'file_server', root: join(directory, 'site') }] }]
    const http = { ...usual.apps.http, servers: { ...usual.apps.http.servers, tls: { ...tls, routes } } }
    const { session_tickets } = usual.apps.tls
    return JSON.stringify({
      ...usual,
      apps: { http, tls: { session_tickets, certificates: { load_files: [{ certificate, key }] } } },
    })
  })
  return entered(caddy, {}, endings)
}

async function startOurs(chain: FakeChain, endings: Ended[]): Promise<EdgePath> {
  const token = randomBytes(32).toString('hex')
  const controlUrl = await startControl(chain, token, endings)
  const [requestPort, certificatePort] = [await freePort(), await freePort()]
  const directory = makeDirectory()
  endings.push(async () => rmSync(directory, { recursive: true, force: true }))
  const edge = startEdgeProcess(
    {
      EDGE_CONTROL_URL: controlUrl,
      EDGE_TOKEN: token,
      EDGE_KEY: randomBytes(32).toString('base64'),
      EDGE_DIRECTORY: directory,
      EDGE_PORT: String(requestPort),
      EDGE_CERTIFICATE_PORT: String(certificatePort),
    },
    endings,
  )
  const listening = { addresses: ['127.0.80.52'], httpPort: await freePort(), httpsPort: await freePort() }
  const caddy = await startCaddy({ ...listening, requestPort, certificatePort })
  return entered(caddy, { edge }, endings)
}

function entered(caddy: Caddy, others: Record<string, number>, endings: Ended[]): EdgePath {
  endings.push(() => caddy.close())
  return { address: caddy.addresses[0] ?? '', port: caddy.httpsPort, pids: { caddy: caddy.processId(), ...others } }
}

/** As in production: a process of its own that writes its log. */
function startEdgeProcess(env: Record<string, string>, endings: Ended[]): number {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, '../../server/src/main.ts'), 'edge'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env },
  })
  endings.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  return child.pid ?? 0
}

/** One hostname, one certificate, one page; nothing ever changes. */
async function startControl(
  { chainPem, leafPem, keyPem }: FakeChain,
  token: string,
  endings: Ended[],
): Promise<string> {
  const enrolment = scriptedEnrolment(token)
  const serial = new X509Certificate(leafPem).serialNumber.toLowerCase()
  const route: Route = { seq: 1, hostname, kind: 'site', slug: 'testbed/bench', generation: '1', serial }
  const certificate: CertificateResponse = {
    hostname,
    generation: '1',
    serial,
    notAfter: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    chain: chainPem,
    key: keyPem,
  }
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const enrolled = await enrolment.enrol(incoming)
    if (enrolled) return json(response, enrolled)
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://control')
    if (pathname === CHANGES_PATH) {
      if (searchParams.get('after') === '0') return json(response, { head: 1, isReset: false, routes: [route] })
      const feedPage = () => json(response, { head: 1, isReset: false, routes: [] })
      return void setTimeout(feedPage, Number(searchParams.get('wait') ?? 1000))
    }
    if (pathname === CERTIFICATES_PATH + hostname) return json(response, enrolment.seal(certificate, incoming))
    if (pathname.startsWith(SITE_PATH)) return sendPage(incoming, response)
    response.writeHead(404).end()
  }
  const server = createServer((incoming, response) => void answer(incoming, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  endings.push(async () => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const json = (response: ServerResponse, value: object): void =>
  void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))

function sendPage({ headers }: IncomingMessage, response: ServerResponse): void {
  const common = { ETag: 'W/"testbed/bench"', 'Cache-Control': 'public, max-age=0, must-revalidate' }
  if (headers['if-none-match'] === common.ETag) return void response.writeHead(304, common).end()
  response.writeHead(200, {
    ...common,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': page.length,
    'X-Content-Type-Options': 'nosniff',
  })
  response.end(page)
}

/** Waits until the response is the whole page. */
async function untilServed(way: EdgePath, ca: string): Promise<void> {
  const end = performance.now() + 20_000
  let last = ''
  while (performance.now() < end) {
    const answer = await get(way, ca).catch((error: Error) => error.message)
    if (Buffer.isBuffer(answer) && answer.equals(page)) return
    last = answer.toString().slice(0, 200)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`The page was not served at ${way.address}: ${last}`)
}

function get({ address, port }: EdgePath, ca: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { host: address, port, servername: hostname, ca, agent: false, headers: { Host: hostname } }
    const pending = request(options, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => resolve(Buffer.concat(parts)))
      response.on('error', reject)
    })
    pending.on('error', reject).end()
  })
}
