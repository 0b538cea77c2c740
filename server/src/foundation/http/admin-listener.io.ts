// `startAdminListener` answers `/livez` and `/readyz` for the operator's monitoring from a thread of its own
// (admin-thread.io.ts), so they are answered at once however busy the process is. The main thread writes a heartbeat into
// shared memory; when that is too old, the process hangs, and both are 503.

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { SECOND } from '../time.ts'
import { heartbeatIn, HEARTBEAT_BYTES, type AdminThread } from './heartbeat.io.ts'

export type AdminListener = {
  port: number
  /** From now on it is alive and not ready. */
  beginToStop(): void
  stop(): Promise<void>
}

const STALE_MS = 5 * SECOND
const BEAT_MS = SECOND / 2

/** `isReady` is asked once a second; `staleMs` is another one only in tests. */
export async function startAdminListener({
  host,
  port,
  isReady,
  staleMs = STALE_MS,
}: {
  host: string
  port: number
  isReady: () => Promise<boolean>
  staleMs?: number
}): Promise<AdminListener> {
  const shared = new SharedArrayBuffer(HEARTBEAT_BYTES)
  const heartbeat = heartbeatIn(shared)
  heartbeat.beat()
  const data: AdminThread = { shared, host, port, staleMs }
  // Not the options of a test runner, which a thread would inherit.
  const thread = new Worker(new URL('./admin-thread.io.ts', import.meta.url), { workerData: data, execArgv: [] })
  // Fails if the thread does, as when the port is in use.
  const [listensOn] = (await once(thread, 'message')) as [number]
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
