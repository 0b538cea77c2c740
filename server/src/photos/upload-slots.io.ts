// How many uploads are stored at a time: the bytes of each are in memory for a moment. The body has arrived before, so
// however slowly a client sends, it occupies no slot. Accounts take turns.

import { ConnectionTurns, TookTooLong } from '../foundation/load/connection-turns.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { SECOND } from '../foundation/time.ts'

/** Runs the work once there is a slot. */
export type UploadSlots = <T>(account: string, work: () => Promise<T>) => Promise<T>

const WAIT_MS = 30 * SECOND

export function uploadSlots(atOnce: number): UploadSlots {
  const turns = new ConnectionTurns(atOnce, WAIT_MS)
  return async (account, work) => {
    await turns.take(account).catch((error: unknown) => {
      throw error instanceof TookTooLong ? new Refusal('service_unavailable', undefined, { 'Retry-After': '2' }) : error
    })
    try {
      return await work()
    } finally {
      turns.release(account)
    }
  }
}
