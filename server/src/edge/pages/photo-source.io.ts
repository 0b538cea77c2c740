// `createPhotoSource` finds photos for an edge that has no database. Their bytes never change, so an edge asks the
// control plane only whether a photo is still shown: in the background once the last response is half an hour old, while
// visitors get the bytes at once; and before it sends them once that is an hour ago. So a deleted photo leaves an edge
// that is connected within the hour, whether it is visited often or seldom. While the control plane does not respond,
// the copy is found, marked as stale.
//
// Photos are held apart from pages, so that neither can evict the other: most of them on the disk, some in memory.

import type { FastifyBaseLogger } from 'fastify'
import type { Context } from '../../foundation/context.ts'
import { HOUR } from '../../foundation/time.ts'
import { BoundedMap } from '../../foundation/load/bounded-map.ts'
import { createSharedCalls } from '../../foundation/load/shared-calls.ts'
import { NoAnswer, type Origin } from '../origin-client.io.ts'
import { countFailures } from './failures.ts'
import type { PageDisk } from './page-disk.io.ts'
import { gone } from './page-store.io.ts'
import { heldPage, createPageCache, type CachedPage } from './page.ts'

/**
 * `href` is the one address of the file; whatever visitors add to it is left out. `requestId` is the id of the first
 * request that needs it.
 */
export type WantedPhoto = { slug: string; host: string; href: string; requestId: string }
export type FoundPhoto = {
  photo: CachedPage
  /** Since it was known to be shown; undefined if that is too long ago, and only the control plane could tell. */
  ageMs: number | undefined
}

export type PhotoSource = {
  /** From memory, if nothing has to be waited for. */
  cached(wanted: WantedPhoto): FoundPhoto | undefined
  /** Undefined if there is no copy, and the control plane does not respond. */
  find(wanted: WantedPhoto): Promise<FoundPhoto | undefined>
}

/** As long as caches that visitors share may hold a photo. */
const CONFIRM_MS = HOUR
const MEMORY = { countMax: 2000, bytesMax: 32 * 1024 * 1024 }
/** More photos than this fit on no disk that is meant for them. */
const CONFIRMED_MAX = 500_000

/** `confirmMs` is longer only in a test (negative control) which shows that photos that are never confirmed are noticed. */
export function createPhotoSource(
  { monotonic: now }: Pick<Context, 'monotonic'>,
  { origin, disk }: { origin: Pick<Origin, 'ask'>; disk: PageDisk },
  log: FastifyBaseLogger,
  confirmMs = CONFIRM_MS,
): PhotoSource {
  const memory = createPageCache({ holdMs: confirmMs, now, ...MEMORY })
  /** When each photo was last known to be shown, also of those that are on the disk alone; none survives a restart. */
  const confirmedAt = new BoundedMap<string, number>({ countMax: CONFIRMED_MAX })
  const failures = countFailures(now)
  const searches = createSharedCalls()
  const questions = createSharedCalls()

  const take = (key: string, photo: CachedPage, requestedAt: number): FoundPhoto => {
    if (photo.status === 200) {
      memory.put(key, photo, requestedAt)
      disk.keep(key, photo)
      confirmedAt.set(key, requestedAt)
    } else if (gone.has(photo.status)) {
      memory.drop(key)
      disk.forget(key)
      confirmedAt.delete(key)
    }
    return { photo, ageMs: 0 }
  }
  const ask = async (wanted: WantedPhoto, held: CachedPage | undefined): Promise<FoundPhoto | undefined> => {
    const copy = held && { photo: held, ageMs: undefined }
    if (copy && failures.isPaused()) return copy
    const key = keyOf(wanted)
    const requestedAt = now()
    try {
      const { slug, host, href: target, requestId } = wanted
      const answer = await origin.ask({ slug, host, target, requestId, coding: undefined, etag: held?.etag })
      failures.end()
      if (answer.status !== 304) return take(key, heldPage(answer), requestedAt)
      if (!held) throw new NoAnswer('The control plane says that what was never held still holds.')
      confirmedAt.set(key, requestedAt)
      return { photo: held, ageMs: 0 }
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      failures.add()
      if (failures.count === 1) log.warn({ err: error }, 'fetching a photo from the control plane failed')
      return copy
    }
  }
  /** The copy, if it was confirmed within the hour. Past the half of it, it is confirmed again in the background. */
  const usable = (wanted: WantedPhoto, held: CachedPage): FoundPhoto | undefined => {
    const key = keyOf(wanted)
    const ageMs = now() - (confirmedAt.get(key) ?? Number.NEGATIVE_INFINITY)
    if (ageMs >= confirmMs) return undefined
    if (ageMs >= confirmMs / 2)
      questions.joined(key, () => ask(wanted, held)).catch((error: unknown) => log.error({ err: error }))
    return { photo: held, ageMs }
  }
  const search = async (wanted: WantedPhoto): Promise<FoundPhoto | undefined> => {
    const key = keyOf(wanted)
    const held = memory.last(key) ?? (await disk.find(key))
    if (!held) return questions.joined(key, () => ask(wanted, undefined))
    memory.put(key, held, now())
    return usable(wanted, held) ?? questions.joined(key, () => ask(wanted, held))
  }
  return {
    cached(wanted) {
      const held = memory.last(keyOf(wanted))
      return held && usable(wanted, held)
    },
    find: (wanted) => searches.joined(keyOf(wanted), () => search(wanted)),
  }
}

const keyOf = ({ slug, href }: WantedPhoto) => `${slug} ${href}`
