// `createPageStore` holds the pages that an edge has received: in memory, and as copies on its
// disk for visitors who come while the control plane is unreachable. A page that the control plane
// reports as gone is removed from both.

import { promisify } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'
import type { Coding } from '../../foundation/http/negotiation.ts'
import { hrefOf, readTarget } from '../../sites/pages/addresses.ts'
import { CACHE_MS } from '../../sites/pages/page.ts'
import type { PageDisk } from './page-disk.io.ts'
import { heldPage, inPlainBytes, createPageCache, type CachedPage, type PageResponse } from './page.ts'

export type PageAddress = {
  slug: string
  /** True for the project's default address, which may redirect. */
  isDefault: boolean
  target: string
}

export type WantedPage = PageAddress & { coding: Coding | undefined }

export type PageStore = {
  /** The page, if it was requested a moment ago. */
  fresh(address: PageAddress, coding: Coding | undefined): CachedPage | undefined
  /** The page of a site in this coding, however old: the control plane may confirm it. */
  last(wanted: WantedPage): CachedPage | undefined
  /** The control plane has confirmed the last one. */
  renew(wanted: WantedPage, page: CachedPage, requestedAt: number): void
  take(wanted: WantedPage, answer: PageResponse, requestedAt: number): CachedPage
  /** The last copy that this visitor can read, from memory or from the disk. */
  findCopy(wanted: WantedPage): Promise<CachedPage | undefined>
  /** It may have changed: the next visitor gets the current page. */
  expire(address: PageAddress): void
}

const KEPT = { countMax: 5000, bytesMax: 64 * 1024 * 1024 }
/** Responses that are not pages of a site need not be cached for long. */
const PASSING = { countMax: 500, bytesMax: 4 * 1024 * 1024 }
const UNPACKED_BYTES_MAX = 20_000_000

const codings = [undefined, 'br', 'gzip'] as const
/** Statuses with which the control plane reports that the page no longer exists. */
export const gone: ReadonlySet<number> = new Set([404, 410, 421])

export function createPageStore(disk: PageDisk, now: () => number): PageStore {
  const memory = createPageCache({ holdMs: CACHE_MS, now, ...KEPT })
  const passing = createPageCache({ holdMs: CACHE_MS, now, ...PASSING })
  return {
    fresh(address, coding) {
      const key = keyOf(address, coding)
      return memory.fresh(key) ?? passing.fresh(key)
    },
    last: (wanted) => memory.last(keyOf(wanted, wanted.coding)),
    renew: (wanted, page, requestedAt) => memory.put(keyOf(wanted, wanted.coding), page, requestedAt),
    take(wanted, answer, requestedAt) {
      const cached = heldPage(answer)
      const key = keyOf(wanted, wanted.coding)
      const copyKey = copyKeyOf(wanted)
      if (cached.status === 200 && !isChoice(wanted)) {
        memory.put(key, cached, requestedAt)
        if (copyKey !== undefined) disk.keep(copyKey, cached)
        return cached
      }
      passing.put(key, cached, requestedAt)
      if (gone.has(cached.status)) {
        for (const coding of codings) memory.drop(keyOf(wanted, coding))
        if (copyKey !== undefined) disk.forget(copyKey)
      }
      return cached
    },
    async findCopy(wanted) {
      const { coding } = wanted
      const cached = [coding, ...codings].map((one) => memory.last(keyOf(wanted, one))).find(Boolean)
      const copyKey = copyKeyOf(wanted)
      const kept = cached ?? (copyKey === undefined ? undefined : await disk.find(copyKey))
      if (!kept) return undefined
      const isReadable = kept.coding === undefined || kept.coding === coding
      const page = isReadable ? kept : inPlainBytes(kept, await unpack(kept.body, kept.coding))
      // The next visitor finds it in memory, still marked as stale.
      if (page !== cached) memory.put(keyOf(wanted, page.coding), page, Number.NEGATIVE_INFINITY)
      return page
    },
    expire(address) {
      for (const coding of codings) memory.expire(keyOf(address, coding))
    },
  }
}

/** A page does not depend on the visited host, but its existence may. */
export const keyOf = ({ slug, isDefault, target }: PageAddress, coding: Coding | undefined) =>
  `${coding ?? 'plain'} ${isDefault ? 'default' : 'attached'} ${slug} ${target}`

/** One page has one copy, whatever visitors add to its address; an unknown address has none. */
function copyKeyOf(wanted: PageAddress): string | undefined {
  const { language, address } = readTarget(wanted.target)
  return address && !isChoice(wanted) ? `${wanted.slug} ${hrefOf(address, language)}` : undefined
}

/** Animals chosen to be printed: there are more choices than room. */
const isChoice = ({ target }: PageAddress): boolean => readTarget(target).address?.kind === 'sheets'

const unpackers = { br: promisify(brotliDecompress), gzip: promisify(gunzip) }
const unpack = (body: Buffer, coding: Coding | undefined): Promise<Buffer> =>
  coding === undefined ? Promise.resolve(body) : unpackers[coding](body, { maxOutputLength: UNPACKED_BYTES_MAX })
