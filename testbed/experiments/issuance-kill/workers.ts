// Workers in processes of their own, and the claims that they have not finished.

import { join } from 'node:path'
import { startReportingWorker, type ReportingWorker } from '../../harness/reporting-worker.ts'
import type { Heard, Orders, WorkerReport } from './worker.ts'

export type Worker = ReportingWorker<WorkerReport, Heard> & {
  /** As far as it reported them. */
  claims(): { hostname: string; fence: bigint }[]
}

export async function startWorker(orders: Orders): Promise<Worker> {
  const script = join(import.meta.dirname, 'worker.ts')
  const worker = await startReportingWorker<WorkerReport, Heard>(script, orders)
  return { ...worker, claims: () => claimsIn(worker.said) }
}

function claimsIn(said: readonly WorkerReport[]): { hostname: string; fence: bigint }[] {
  const open = new Map<string, bigint>()
  for (const message of said) {
    if (message.kind === 'claimed') open.set(message.hostname, BigInt(message.fence))
    if (message.kind === 'worked') open.delete(message.hostname)
  }
  return [...open].map(([hostname, fence]) => ({ hostname, fence }))
}
