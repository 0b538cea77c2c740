// `createPageSource` finds pages of sites for an edge that has no database. A page is cached for
// less than half a second and requested from the control plane once, however many visitors request
// it: a popular page costs the control plane two requests per second from each edge, and mostly the
// response is that it has not changed. When the control plane does not respond, the last copy is
// found, marked as stale.
//
// A default address redirects visitors to the primary domain only while this edge serves that one:
// a redirect to a name that has left the host table is not used, but the control plane is queried
// again. So a removal that this edge has confirmed strands no visitor.

import { languages } from '@petstore-platform/contract/platform/site'
import type { FastifyBaseLogger } from 'fastify'
import type { Context } from '../../foundation/context.ts'
import type { Coding } from '../../foundation/http/negotiation.ts'
import { allAnimals, home, hrefOf, readTarget } from '../../sites/pages/addresses.ts'
import { createSharedCalls } from '../../foundation/load/shared-calls.ts'
import { NoAnswer, type Origin } from '../origin-client.io.ts'
import { countFailures } from './failures.ts'
import type { PageDisk } from './page-disk.io.ts'
import { createPageStore, keyOf, type PageAddress, type WantedPage } from './page-store.io.ts'
import type { CachedPage } from './page.ts'

export type PageSource = {
  /** The page, if it was requested a moment ago. */
  cached(address: PageAddress, coding: Coding | undefined): CachedPage | undefined
  /** From the control plane, otherwise the last copy; undefined if there is neither. */
  find(wanted: Wanted): Promise<Found>
  /** An animal may have changed: the next visitor gets the current page. */
  expire(address: PageAddress): void
}

/** With the id of the request that needs it; others that wait for the same page share it. */
type Wanted = WantedPage & { host: string; requestId: string }
type Found = { page: CachedPage; isStale: boolean } | undefined

/** `findRoute` asks the host table. */
export function createPageSource(
  { monotonic: now }: Pick<Context, 'monotonic'>,
  { origin, disk }: { origin: Pick<Origin, 'ask'>; disk: PageDisk },
  findRoute: (hostname: string) => object | undefined,
  log: FastifyBaseLogger,
): PageSource {
  const store = createPageStore(disk, now)
  const failures = countFailures(now)
  const calls = createSharedCalls()
  const isStranding = ({ leadsTo }: CachedPage) => leadsTo !== undefined && findRoute(leadsTo) === undefined

  const findCopy = async (wanted: Wanted): Promise<Found> => {
    const page = await store.findCopy(wanted)
    return page && { page, isStale: true }
  }
  const fetchPage = async (wanted: Wanted): Promise<Found> => {
    if (failures.isPaused()) {
      const copy = await findCopy(wanted)
      if (copy) return copy
    }
    const last = store.last(wanted)
    const requestedAt = now()
    try {
      const answer = await origin.ask({ ...wanted, etag: last?.etag })
      failures.end()
      if (answer.status !== 304) return { page: store.take(wanted, answer, requestedAt), isStale: false }
      if (!last) throw new NoAnswer('The control plane says that what was never held still holds.')
      store.renew(wanted, last, requestedAt)
      return { page: last, isStale: false }
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      failures.add()
      if (failures.count === 1) log.warn({ err: error }, 'fetching a page from the control plane failed')
      return findCopy(wanted)
    }
  }
  return {
    cached(address, coding) {
      const page = store.fresh(address, coding)
      return page && !isStranding(page) ? page : undefined
    },
    async find(wanted) {
      const found = await calls.joined(keyOf(wanted, wanted.coding), () => fetchPage(wanted))
      // It may have been requested before the name left the table.
      return found && isStranding(found.page) ? fetchPage(wanted) : found
    },
    expire({ slug, target }) {
      const targets = new Set([target, ...changedWith(target)])
      for (const isDefault of [true, false]) {
        for (const changed of targets) store.expire({ slug, isDefault, target: changed })
      }
    },
  }
}

/** The page of an animal that has changed, and the lists that show it, in every language: an edge does not know which ones a site has. */
function changedWith(target: string): string[] {
  const { address = home } = readTarget(target)
  return [undefined, ...languages].flatMap((language) =>
    [address, home, allAnimals].map((page) => hrefOf(page, language)),
  )
}
