// Which uploads are received at a time. Each occupies the bytes that it declares, in a temporary file, and at least as many
// as a small photo, whatever it sends of them. An account has a part of the room of the process, in all of its projects
// together. Where there is no room, an account that holds more makes some for one that will hold less: its slowest upload
// ends. And once half of the room is taken, the pace that an upload must keep rises. Pure.

import { PHOTO_BYTES_MAX } from '@petstore-platform/contract/platform/photos'
import type { Pacing } from '../foundation/load/arrival-pace.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { Clock } from '../foundation/time.ts'

export type UploadPlace = Pacing & {
  /** Its body has arrived: it is stored soon, and ends for no other. */
  complete(): void
  release(): void
}

export type UploadPool = {
  /** Throws a refusal if there is no room. */
  take(account: string, declaredBytes: number | undefined): UploadPlace
}

export type UploadLimits = Readonly<Record<'accountUploadBytes' | 'processUploadBytes', number>>

const BYTES_MIN = 4_000_000
const RETRY_SECONDS = 2
const BYTES_PER_SECOND = 8000
/** By how much it rises until there is no room left. */
const RISE = 8

type Upload = { account: string; bytes: number; begunAt: number; arrived: number; end?: AbortController }

export function uploadPool({ accountUploadBytes, processUploadBytes }: UploadLimits, now: Clock): UploadPool {
  const open = new Set<Upload>()
  const leastPace = () => BYTES_PER_SECOND * RISE ** Math.max(0, (2 * sumOf([...open])) / processUploadBytes - 1)
  return {
    take(account, declaredBytes = PHOTO_BYTES_MAX) {
      const bytes = Math.max(declaredBytes, BYTES_MIN)
      const held = sumOf([...open].filter((one) => one.account === account)) + bytes
      if (held > accountUploadBytes) {
        const [most, least] = [accountUploadBytes, BYTES_MIN].map((limit) => `${limit / 1_000_000} MB`)
        throw busy(
          `At most ${most} of uploads of an account are under way at a time; each counts as at least ${least}.`,
        )
      }
      const missing = sumOf([...open]) + bytes - processUploadBytes
      for (const slow of thoseThatEnd([...open], missing, held, now())) {
        open.delete(slow)
        slow.end?.abort()
      }
      const end = new AbortController()
      const upload: Upload = { account, bytes, begunAt: now(), arrived: 0, end }
      open.add(upload)
      return {
        leastPace,
        arrived: (more) => void (upload.arrived += more),
        ended: end.signal,
        complete: () => void delete upload.end,
        release: () => void open.delete(upload),
      }
    },
  }
}

/** None if all of them together would not be enough. `share`: what the account that needs the bytes will hold. */
function thoseThatEnd(open: Upload[], missing: number, share: number, now: number): Upload[] {
  const chosen: Upload[] = []
  const heldBy = (account: string) => sumOf(open.filter((one) => one.account === account && !chosen.includes(one)))
  const paceOf = ({ arrived, begunAt }: Upload) => arrived / Math.max(1, now - begunAt)
  while (sumOf(chosen) < missing) {
    const [next] = open
      .filter((one) => one.end && !chosen.includes(one) && heldBy(one.account) - one.bytes >= share)
      .toSorted((one, other) => heldBy(other.account) - heldBy(one.account) || paceOf(one) - paceOf(other))
    if (!next) throw busy('Too many photos are being uploaded at the moment.')
    chosen.push(next)
  }
  return chosen
}

const sumOf = (uploads: readonly Upload[]) => uploads.reduce((sum, { bytes }) => sum + bytes, 0)

const busy = (message: string) => new Refusal('rate_limited', message, { 'Retry-After': String(RETRY_SECONDS) })
