// The thread of the admin listener: see admin-listener.io.ts. It reads the heartbeat of the main thread, and waits for
// nothing but metrics, and not for long.

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { Refusal, bodyOf } from '../refusal.ts'
import { SECOND } from '../time.ts'
import { heartbeatIn, type AdminThread, type MetricsText } from './heartbeat.io.ts'

const { shared, host, port, staleMs, version } = workerData as AdminThread
const parent = parentPort as MessagePort
const heartbeat = heartbeatIn(shared)
/** A process that has not responded by then hangs, or one of those that it supervises does. */
const METRICS_MS = 4.5 * SECOND

const unavailable = (why: string) => new Refusal('service_unavailable', why, { 'Retry-After': '1' })
const isStale = () =>
  heartbeat.ageMs() > staleMs ? unavailable(`The process has not responded for ${staleMs / 1000} seconds.`) : undefined
const isUnready = () =>
  heartbeat.isReady() ? undefined : unavailable('It is stopping, or what it needs does not answer.')

type Found = NonNullable<MetricsText>
type Answer = Refusal | Found

const json = (text: string): Found => ({ type: 'application/json', text })
const ok = json('{"status":"ok"}')

const answers: Readonly<Record<string, () => Answer | Promise<Answer>>> = {
  '/livez': () => isStale() ?? ok,
  '/readyz': () => isStale() ?? isUnready() ?? ok,
  '/version': () => json(version),
  '/metrics': () => isStale() ?? metrics(),
}

/** Requests that wait at the same time get the first response: each has been rendered since it was asked for, or a moment before. */
async function metrics(): Promise<Answer> {
  const responded = once(parent, 'message', { signal: AbortSignal.timeout(Math.min(staleMs, METRICS_MS)) })
  parent.postMessage('metrics') // oxlint-disable-line require-post-message-target-origin
  const [found] = (await responded.catch(() => [])) as [MetricsText?]
  return found ?? unavailable('The process did not respond with its metrics.')
}

function send(response: ServerResponse, answer: Answer): void {
  const [status, { type, text }, more] =
    answer instanceof Refusal ? [answer.status, json(bodyOf(answer)), answer.headers] : [200, answer, {}]
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store', ...more }).end(text)
}

const server = createServer(({ method, url = '' }, response) => {
  const answer = Object.hasOwn(answers, url) ? answers[url] : undefined
  if (!answer) return send(response, new Refusal('not_found'))
  if (method !== 'GET' && method !== 'HEAD') {
    return send(response, new Refusal('method_not_allowed', undefined, { Allow: 'GET, HEAD' }))
  }
  void Promise.resolve(answer()).then((found) => send(response, found))
})
server.listen(port, host, () => {
  const address = server.address() as AddressInfo
  parentPort?.postMessage(address.port) // oxlint-disable-line require-post-message-target-origin
})
