// A scripted control plane, for an edge without a real one: routes by sequence number, the
// certificates and challenges that the test gave it, and the faults that it injects. A
// request that the test did not script is a mistake of the test, and is listed in
// `surprises`.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFakeChain } from '../../../testbed/harness/fake-chain.ts'
import { scriptedEnrolment } from '../../../testbed/harness/test-edges.ts'
import { startReplica, type Replica } from '../../src/edge/replica.io.ts'
import type { EdgeConfig } from '../../src/edge/settings.ts'
import { mustResync } from '../../src/fleet/audience.ts'
import type { CertificateResponse, Route } from '../../src/fleet/protocol.ts'
import { Secret } from '../../src/foundation/secret.ts'

export const TOKEN = `edge_${randomBytes(32).toString('base64url')}`

export type FaultTarget = 'changes' | 'certificates' | 'challenges'
export type Fault = 'hang' | 'drip' | 'nonsense' | 'types' | 'huge' | 'error' | 'cut' | 'headers' | 'refuse'

export type ScriptedControl = Awaited<ReturnType<typeof scriptControl>>

type Leads<R = Route> = R extends Route ? Omit<R, 'seq' | 'hostname'> : never

export async function scriptControl() {
  const routes = new Map<string, Route>()
  const certificates = new Map<string, CertificateResponse>()
  const challenges = new Map<string, string>()
  const faults = new Map<FaultTarget, Fault>()
  const asked: string[] = []
  const surprises: string[] = []
  const waiting = new Set<() => void>()
  const enrolment = scriptedEnrolment(TOKEN)
  const state = { head: 0, forgotten: 0, isResetNext: false, pageSize: 5000, maxAtOnce: 0, atOnce: 0 }

  const wake = () => waiting.forEach((go) => go())
  const listed = (after: number) =>
    [...routes.values()].filter(({ seq }) => seq > after).sort((one, other) => one.seq - other.seq)

  const changes = async (query: URLSearchParams, response: ServerResponse) => {
    const after = Number(query.get('after'))
    const wait = Number(query.get('wait'))
    if (!(wait >= 0 && wait <= 1000)) surprises.push(`waits ${wait} ms`)
    const begun = Number(query.get('begun') ?? 0)
    const mustReset = () => state.isResetNext || mustResync(after, begun, state)
    if (after === state.head && !mustReset()) await patience(wait)
    const isReset = mustReset()
    state.isResetNext = false
    const from = isReset ? 0 : after
    const page = listed(from).filter(({ kind, seq }) => kind !== 'gone' || (from > 0 && seq > begun))
    sendJson(response, { head: state.head, isReset, routes: page.slice(0, state.pageSize) })
  }
  const patience = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(() => go(), ms)
      const go = () => {
        clearTimeout(timer)
        waiting.delete(go)
        resolve()
      }
      waiting.add(go)
    })
  const certificate = (hostname: string, question: IncomingMessage, response: ServerResponse) => {
    const found = certificates.get(hostname)
    const generation = new URL(question.url ?? '', 'http://control').searchParams.get('generation')
    if (!routes.has(hostname)) surprises.push(`certificate of ${hostname}`)
    sendJson(response, found?.generation === generation ? enrolment.seal(found, question) : undefined)
  }
  const challenge = (key: string, response: ServerResponse) => {
    const keyAuthorization = challenges.get(key)
    sendJson(response, keyAuthorization === undefined ? undefined : { keyAuthorization })
  }
  const answer = async (question: IncomingMessage, response: ServerResponse) => {
    const enrolled = await enrolment.enrol(question)
    if (enrolled) return sendJson(response, enrolled)
    const url = new URL(question.url ?? '', 'http://control')
    const [, edge, version, place = '', ...rest] = url.pathname.split('/')
    asked.push(`${url.pathname.replace('/edge/v1/', '')}${url.search}`)
    if (!enrolment.isSigned(question)) return void response.writeHead(401).end()
    const isKnown = edge === 'edge' && version === 'v1' && ['changes', 'certificates', 'challenges'].includes(place)
    if (!isKnown || question.method !== 'GET') surprises.push(`${question.method} ${question.url}`)
    const fault = faults.get(place as FaultTarget)
    if (fault) return misbehave(fault, response)
    if (place === 'certificates') return certificate(rest.join('/'), question, response)
    if (place === 'challenges') return challenge(rest.join('/'), response)
    state.atOnce += 1
    state.maxAtOnce = Math.max(state.maxAtOnce, state.atOnce)
    await changes(url.searchParams, response).finally(() => (state.atOnce -= 1))
  }
  const server = createServer((question, response) => void answer(question, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}`,
    state,
    asked,
    surprises,
    routes,
    certificates,
    challenges,
    asksFor: (start: string) => asked.filter((line) => line.startsWith(start)),
    /** A change of the host table, sent to waiting edges at once. */
    put(hostname: string, leads: Leads): Route {
      state.head += 1
      const route: Route = { seq: state.head, hostname, ...leads }
      routes.set(hostname, route)
      wake()
      return route
    },
    does(place: FaultTarget, what: Fault | undefined): void {
      if (what) faults.set(place, what)
      else faults.delete(place)
      wake()
    },
    wake,
    /** As if it were not there. */
    async shut() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
    async open() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    async stop() {
      wake()
      server.closeAllConnections()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
}

function sendJson(response: ServerResponse, body: unknown): void {
  if (response.destroyed) return
  response.writeHead(body === undefined ? 404 : 200, { 'Content-Type': 'application/json' })
  response.end(body === undefined ? '{}' : JSON.stringify(body))
}

function misbehave(what: Fault, response: ServerResponse): void {
  if (what === 'hang') return
  if (what === 'refuse') return void response.destroy()
  if (what === 'error') return void response.writeHead(503).end('{"code":"service_unavailable"}')
  if (what === 'nonsense') return void response.writeHead(200).end('<html>A proxy says hello.</html>')
  if (what === 'types')
    return void response.writeHead(200).end('{"head":"1","routes":[null],"hostname":7,"keyAuthorization":[]}')
  if (what === 'cut') {
    response.writeHead(200, { 'Content-Length': 1000 }).write('{"head":')
    return void setImmediate(() => response.destroy())
  }
  if (what === 'headers') return response.flushHeaders()
  const piece = what === 'huge' ? Buffer.alloc(65_536, ' ') : Buffer.from(' ')
  response.writeHead(200)
  const timer = setInterval(() => response.write(piece), what === 'huge' ? 1 : 20)
  response.on('close', () => clearInterval(timer))
}

/** A certificate as the control plane would return it, and its fields in the route. */
export async function makeCertificate(
  hostname: string,
  generation: string,
  dates: { notBefore?: number; notAfter?: number } = {},
): Promise<CertificateResponse> {
  const serialNumber = `4${randomBytes(8).toString('hex').slice(1)}`
  const { chainPem, keyPem } = await makeFakeChain({ hostnames: [hostname], serialNumber, ...dates })
  const notAfter = new Date(dates.notAfter ?? Date.now() + 90 * 86_400_000).toISOString()
  return { hostname, generation, serial: serialNumber, notAfter, chain: chainPem, key: keyPem }
}

export const siteOf = (certificate: CertificateResponse, slug = 'paws') => ({
  kind: 'site' as const,
  slug,
  generation: certificate.generation,
  serial: certificate.serial,
})

/** Clocks that a test may move. */
export function movableClocks() {
  let [ahead, later] = [0, 0]
  return {
    now: () => Date.now() + ahead,
    monotonic: () => performance.now() + later,
    /** Moves the wall clock alone, or the monotonic clock as well. */
    move(ms: number) {
      ahead += ms
    },
    pass(ms: number) {
      ahead += ms
      later += ms
    },
  }
}

export type TestEdge = Replica & { errors: Error[]; ask: (serverName: string) => Promise<PortResponse> }
export type PortResponse = { status: number; type: string | undefined; body: string; ms: number }

export type EdgeFolder = { directory: string; key: Secret; remove(): Promise<void> }

export async function makeFolder(): Promise<EdgeFolder> {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-edge-'))
  return {
    directory: join(directory, 'edge'),
    key: new Secret(randomBytes(32).toString('base64')),
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

export async function startTestEdge(
  control: Pick<ScriptedControl, 'url'>,
  folder: EdgeFolder,
  clocks: Pick<ReturnType<typeof movableClocks>, 'now' | 'monotonic'> = movableClocks(),
  changes: Partial<EdgeConfig> = {},
): Promise<TestEdge> {
  const errors: Error[] = []
  const config: EdgeConfig = {
    controlUrl: control.url,
    controlRoots: undefined,
    token: new Secret(TOKEN),
    directory: folder.directory,
    key: folder.key,
    certificatePort: 0,
    isolationHours: 72,
    photoBytes: 1_000_000,
    platformCertificate: undefined,
    ...changes,
  }
  const { now, monotonic } = clocks
  const onError = (error: Error) => void errors.push(error)
  const replica = await startReplica(config, 'petstore.test:3080', { now, monotonic, onError })
  return {
    ...replica,
    errors,
    ask: (name) => askPort(replica.certificatePort, `/edge/certificate?server_name=${name}`),
  }
}

export async function askPort(port: number, path: string, method = 'GET'): Promise<PortResponse> {
  const startedAt = performance.now()
  const asking = request({ port, host: '127.0.0.1', path, method }).end()
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return {
    status: response.statusCode ?? 0,
    type: response.headers['content-type'],
    body: Buffer.concat(chunks).toString(),
    ms: performance.now() - startedAt,
  }
}

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error('it did not happen in time')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
