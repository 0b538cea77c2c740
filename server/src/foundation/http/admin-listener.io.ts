// `startAdminListener` answers `/livez`, `/readyz`, `/version` and `/metrics` for the operator's monitoring from a thread of
// its own (admin-thread.io.ts), so the first three are answered at once however busy the process is. The main thread writes
// a heartbeat into shared memory; when that is too old, the process hangs, and all but `/version` are 503. Metrics come from
// the main thread.

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { SECOND } from '../time.ts'
import { heartbeatIn, HEARTBEAT_BYTES, type AdminThread, type MetricsText } from './heartbeat.io.ts'

export type AdminListener = {
  port: number
  /** From now on it is alive and not ready. */
  beginToStop(): void
  stop(): Promise<void>
}

const STALE_MS = 5 * SECOND
const BEAT_MS = SECOND / 2

export type AdminOptions = {
  host: string
  port: number
  /** Asked once a second. */
  isReady: () => Promise<boolean>
  /** JSON. */
  version: string
  metrics: () => Promise<MetricsText>
  /** Another one only in tests. */
  staleMs?: number
}

export async function startAdminListener(options: AdminOptions): Promise<AdminListener> {
  const { host, port, isReady, version, metrics, staleMs = STALE_MS } = options
  const shared = new SharedArrayBuffer(HEARTBEAT_BYTES)
  const heartbeat = heartbeatIn(shared)
  heartbeat.beat()
  const data: AdminThread = { shared, host, port, staleMs, version }
  // Not the options of a test runner, which a thread would inherit.
  const thread = new Worker(new URL('./admin-thread.io.ts', import.meta.url), { workerData: data, execArgv: [] })
  // Fails if the thread does, as when the port is in use.
  const [listensOn] = (await once(thread, 'message')) as [number]
  const respond = (found: MetricsText) => thread.postMessage(found) // oxlint-disable-line require-post-message-target-origin
  thread.on('message', () => void metrics().then(respond, () => respond(undefined)))
  thread.unref()
  // The thread may have taken long to start.
  heartbeat.beat()
  const beats = setInterval(() => heartbeat.beat(), BEAT_MS).unref()

  let isStopping = false
  let isAsking = false
  const check = async () => {
    if (isAsking) return
    isAsking = true
    const isUp = await isReady().catch(() => false)
    heartbeat.setReady(isUp && !isStopping)
    isAsking = false
  }
  await check()
  const checks = setInterval(() => void check(), SECOND).unref()
  return {
    port: listensOn,
    beginToStop() {
      isStopping = true
      heartbeat.setReady(false)
    },
    async stop() {
      clearInterval(beats)
      clearInterval(checks)
      await thread.terminate()
    },
  }
}
