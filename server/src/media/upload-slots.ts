// How many uploads are received at once: an upload may take minutes, and its bytes are in memory for a moment at its
// end. Beyond that a client is to retry shortly, which a queue would only delay.

import { Refusal } from '../foundation/refusal.ts'

export type UploadSlots = {
  /** The function that gives the slot back, to be called once; throws a refusal if none is free. */
  take(project: bigint): () => void
}

const RETRY_SECONDS = 2

export function uploadSlots({ perProcess, perProject }: { perProcess: number; perProject: number }): UploadSlots {
  const taken = new Map<bigint, number>()
  let all = 0
  return {
    take(project) {
      const own = taken.get(project) ?? 0
      if (own >= perProject) throw busy(`At most ${perProject} photos of a project are uploaded at a time.`)
      if (all >= perProcess) throw busy('Too many photos are being uploaded at the moment.')
      all += 1
      taken.set(project, own + 1)
      return () => {
        all -= 1
        const left = (taken.get(project) ?? 1) - 1
        if (left === 0) taken.delete(project)
        else taken.set(project, left)
      }
    },
  }
}

const busy = (message: string) => new Refusal('rate_limited', message, { 'Retry-After': String(RETRY_SECONDS) })
