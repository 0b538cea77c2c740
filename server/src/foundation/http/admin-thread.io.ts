// The thread of the admin listener: see admin-listener.io.ts. It reads the heartbeat of the main thread, and waits for
// nothing.

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { Refusal, bodyOf } from '../refusal.ts'
import { heartbeatIn, type AdminThread } from './heartbeat.io.ts'

const { shared, host, port, staleMs } = workerData as AdminThread
const heartbeat = heartbeatIn(shared)

const unavailable = (why: string) => new Refusal('service_unavailable', why, { 'Retry-After': '1' })
const isStale = () =>
  heartbeat.ageMs() > staleMs ? unavailable(`The process has not responded for ${staleMs / 1000} seconds.`) : undefined
const isUnready = () =>
  heartbeat.isReady() ? undefined : unavailable('It is stopping, or what it needs does not answer.')

/** The reason why not, or undefined. */
const checks: Readonly<Record<string, () => Refusal | undefined>> = {
  '/livez': isStale,
  '/readyz': () => isStale() ?? isUnready(),
}

function send(response: ServerResponse, refusal: Refusal | undefined): void {
  const body = refusal ? bodyOf(refusal) : '{"status":"ok"}'
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...refusal?.headers }
  response.writeHead(refusal?.status ?? 200, headers).end(body)
}

const server = createServer(({ method, url = '' }, response) => {
  const check = checks[url]
  if (!check) return send(response, new Refusal('not_found'))
  if (method !== 'GET' && method !== 'HEAD') {
    return send(response, new Refusal('method_not_allowed', undefined, { Allow: 'GET, HEAD' }))
  }
  send(response, check())
})
server.listen(port, host, () => {
  const address = server.address() as AddressInfo
  parentPort?.postMessage(address.port) // oxlint-disable-line require-post-message-target-origin
})
