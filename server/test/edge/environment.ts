// The environment for tests of an edge and its visitors, with a control plane that a test
// scripts: hostnames, open challenges, and the pages of sites. Requests that the test did
// not script fail it. The edge is the real one, on a real socket and disk.

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer as bufferOf, text as textOf } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { parseConfig } from '../../src/program/config.ts'
import { startEdge } from '../../src/program/edge.ts'
import type { Overrides } from '../../src/program/overrides.ts'
import { SERVER_NAME_HEADER, TARGET_HEADER } from '../../src/edge/caddy-config.ts'
import type { Route } from '../../src/fleet/protocol.ts'
import { exchange, type Received, type RawRequest } from '../../../testbed/harness/http.ts'
import { scriptedEnrolment } from '../../../testbed/harness/test-edges.ts'

const TOKEN = 'edge_of-this-test-and-of-no-other-edge-anywhere'
export const PLATFORM_HOST = 'petstore.test'
export const PROBE_SECRET = 'a secret of this installation, for probes'

export type ControlRequest = { method: string; target: string; headers: IncomingHttpHeaders; body: string }
export type ScriptedPage = { status?: number; headers?: Record<string, string | string[]>; body?: string | Buffer }
type Scripted = ScriptedPage | 'hang' | 'reset'
export type VisitedControl = Awaited<ReturnType<typeof startControl>>

type Leads<R = Route> = R extends Route ? Omit<R, 'seq' | 'hostname' | 'generation' | 'serial'> : never

/** Stops with the test. */
export async function startControl() {
  const routes = new Map<string, Route>()
  const challenges = new Map<string, string>()
  const enrolment = scriptedEnrolment(TOKEN)
  const asked: ControlRequest[] = []
  const askedChallenges: string[] = []
  const surprises: string[] = []
  let head = 0
  let acknowledged = -1
  let news = Promise.withResolvers<void>()
  let heard = Promise.withResolvers<void>()
  let answerPage = (_: ControlRequest): Scripted | Promise<Scripted> => ({ status: 404 })

  const changes = async (after: number, response: ServerResponse) => {
    acknowledged = after
    heard.resolve()
    heard = Promise.withResolvers()
    if (after >= head) await Promise.race([news.promise, new Promise((resolve) => setTimeout(resolve, 900))])
    const newer = [...routes.values()].filter(({ seq }) => seq > after).sort((one, other) => one.seq - other.seq)
    response.end(JSON.stringify({ head, isReset: false, routes: newer }))
  }
  const page = async (request: IncomingMessage, response: ServerResponse, target: string) => {
    const question = { method: request.method ?? '', target, headers: request.headers, body: await textOf(request) }
    asked.push(question)
    const scripted = await answerPage(question)
    if (scripted === 'hang') return
    if (scripted === 'reset') return void request.socket.destroy()
    const { status = 200, headers = {}, body = '' } = scripted
    const { etag } = headers
    const isKnown = etag !== undefined && request.headers['if-none-match'] === etag
    response.writeHead(isKnown ? 304 : status, headers).end(isKnown ? undefined : body)
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, place = '', rest = ''] =
      /^\/edge\/v1\/(changes|certificates|challenges|site)(.*)$/s.exec(request.url ?? '') ?? []
    const enrolled = await enrolment.enrol(request)
    if (enrolled) return void response.end(JSON.stringify(enrolled))
    if (!enrolment.isSigned(request)) return void response.writeHead(401).end()
    if (place === 'changes') return changes(Number(new URLSearchParams(rest).get('after')), response)
    if (place === 'site') return page(request, response, rest)
    if (place === 'challenges') {
      askedChallenges.push(rest.slice(1))
      const keyAuthorization = challenges.get(rest.slice(1))
      if (keyAuthorization !== undefined) return void response.end(JSON.stringify({ keyAuthorization }))
    }
    if (place === '') surprises.push(request.url ?? '')
    response.writeHead(404).end()
  }
  const server = createServer((request, response) => void answer(request, response))
  const open = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const shut = async () => {
    if (!server.listening) return
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  const port = await open(0)
  onTestFinished(shut)

  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    askedChallenges,
    challenges,
    surprises,
    put(hostname: string, leads: Leads): void {
      head += 1
      routes.set(hostname, { seq: head, hostname, generation: '1', serial: 'ab', ...leads } as Route)
      news.resolve()
      news = Promise.withResolvers()
    },
    serve(answer: typeof answerPage): void {
      answerPage = answer
    },
    /** Resolves when the edge has everything. */
    async known(): Promise<void> {
      for (;;) {
        if (acknowledged >= head) return
        await heard.promise
      }
    },
    shut,
    reopen: () => open(port),
  }
}

export type VisitOptions = { directory?: string; env?: Record<string, string> } & Overrides

/** As the server in front passes it on; `https` as soon as a server name is given. */
export type Visit = { host: string; path?: string; serverName?: string; scheme?: 'http' | 'https' } & Omit<
  RawRequest,
  'path'
>

/** For callers that remove it themselves. */
export async function temporaryFolderOf() {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-edge-'))
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) }
}

/** Removed with the test. */
export async function temporaryFolder(): Promise<string> {
  const { directory, remove } = await temporaryFolderOf()
  onTestFinished(remove)
  return directory
}

/** Stops with the test. */
export async function startVisitedEdge({ url }: Pick<VisitedControl, 'url'>, options: VisitOptions = {}) {
  const directory = options.directory ?? (await temporaryFolder())
  const logs: string[] = []
  const config = parseConfig({
    DATABASE_URL: 'postgresql://nobody.invalid/none',
    PLATFORM_HOST,
    PROBE_SECRET,
    EDGE_PORT: '0',
    EDGE_CONTROL_URL: url,
    EDGE_TOKEN: TOKEN,
    EDGE_KEY: Buffer.alloc(32, 7).toString('base64'),
    EDGE_DIRECTORY: directory,
    EDGE_CERTIFICATE_PORT: '0',
    ...options.env,
  })
  const { directory: _, env: __, ...edgeOptions } = options
  const edge = await startEdge(config, {
    logger: { level: 'info', stream: { write: (line) => void logs.push(line) } },
    ...edgeOptions,
  })
  onTestFinished(() => edge.stop())
  const origin = `http://127.0.0.1:${edge.port}`
  return {
    ...edge,
    directory,
    logs,
    visit({ host, path = '/', serverName, scheme, headers = {}, ...sent }: Visit): Promise<Received> {
      const tls = serverName !== undefined || scheme === 'https'
      return exchange(origin, {
        ...sent,
        path,
        headers: {
          Host: host,
          'X-Forwarded-Proto': tls ? 'https' : 'http',
          ...(serverName !== undefined && { [SERVER_NAME_HEADER]: serverName }),
          ...headers,
        },
      })
    },
    /** Sends raw bytes; returns the response as Latin-1. */
    async raw(bytes: string): Promise<string> {
      const socket = connect(edge.port, '127.0.0.1')
      socket.write(Buffer.from(bytes, 'latin1'))
      return (await bufferOf(socket)).toString('latin1')
    },
  }
}

export const targetHeader = (target: string) => ({ [TARGET_HEADER]: target })

/** A page as the control plane sends one. */
export const htmlPage = (text: string, etag = `W/"${text.length}"`): ScriptedPage => ({
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'public, max-age=0, must-revalidate',
    'content-security-policy': "default-src 'none'",
    etag,
  },
  body: text,
})

/** Repeats the call until its result is right, for at most five seconds. */
export async function until<T>(ask: () => Promise<T>, isRight: (found: T) => boolean): Promise<T> {
  const deadline = performance.now() + 5000
  for (;;) {
    const found = await ask()
    if (isRight(found) || performance.now() > deadline) return found
  }
}

/** Two projects: one with a hostname that redirects to another, one with a hostname of its own. */
export async function place(options: VisitOptions = {}) {
  const control = await startControl()
  control.put('shop.example', { kind: 'site', slug: 'north' })
  control.put('www.shop.example', { kind: 'redirect', slug: 'north', target: 'shop.example', status: 308 })
  control.put('other.example', { kind: 'site', slug: 'south' })
  control.serve(siteOf)
  const edge = await startVisitedEdge(control, options)
  await control.known()
  return { control, edge }
}

/** Every site has every page. */
export const siteOf: Parameters<VisitedControl['serve']>[0] = ({ headers, target }) =>
  htmlPage(`The site ${String(headers['petstore-site'])} at ${target}`)

/** Over TLS, as browsers connect. */
export const https = (host: string, path = '/') => ({ host, path, serverName: host })
