// Measures the processes that decode photos from outside, in a thread of its own: a busy main thread must not make them
// look smaller, or their end earlier.

import { globSync, readFileSync } from 'node:fs'
import { parentPort, Worker } from 'node:worker_threads'
import { photoLimits } from '../../../server/src/photos/processing/process-photo.io.ts'

export type WatchedProcesses = {
  /** Largest resident size of any of them, in megabytes. */
  peakMb: number
  /** The longest time for which one was over the limit. */
  overMs: number
  /** By how much this process has grown meanwhile, in megabytes. */
  grownMb: number
}

const SAMPLE_MS = 4

/** The figures since the last call. */
export function watchProcesses(): { take(): Promise<WatchedProcesses>; stop(): Promise<number> } {
  const worker = new Worker(new URL(import.meta.url), { execArgv: [] })
  return {
    take() {
      const { promise, resolve } = Promise.withResolvers<WatchedProcesses>()
      worker.once('message', resolve)
      worker.postMessage('take', [])
      return promise
    },
    stop: () => worker.terminate(),
  }
}

function sampleForever(port: NonNullable<typeof parentPort>): void {
  const overSince = new Map<string, number>()
  let ownMb = megabytes(String(process.pid))
  let watched: WatchedProcesses = { peakMb: 0, overMs: 0, grownMb: 0 }
  const sample = () => {
    const now = performance.now()
    const sizes = childrenOf(process.pid).map((pid) => ({ pid, bytes: residentOf(pid) }))
    const over = sizes.filter(({ bytes }) => bytes > photoLimits.resident)
    for (const { pid } of over) overSince.set(pid, overSince.get(pid) ?? now)
    watched = {
      peakMb: Math.max(watched.peakMb, ...sizes.map(({ pid }) => megabytes(pid))),
      overMs: Math.max(watched.overMs, ...over.map(({ pid }) => Math.round(now - (overSince.get(pid) ?? now)))),
      grownMb: Math.max(watched.grownMb, megabytes(String(process.pid)) - ownMb),
    }
  }
  setInterval(sample, SAMPLE_MS)
  port.on('message', () => {
    sample()
    port.postMessage(watched)
    ownMb = megabytes(String(process.pid))
    watched = { peakMb: 0, overMs: 0, grownMb: 0 }
  })
}

const childrenOf = (pid: number) =>
  globSync(`/proc/${pid}/task/*/children`).flatMap((file) => readOrNothing(file).split(' ').filter(Boolean))
const residentOf = (pid: string) => Number(/VmRSS:\s+(\d+)/.exec(readOrNothing(`/proc/${pid}/status`))?.[1] ?? 0) * 1024
const megabytes = (pid: string) => Math.round(residentOf(pid) / 2 ** 20)

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

if (parentPort) sampleForever(parentPort)
