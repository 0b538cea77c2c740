// The loaded animals of one list: page after page, as many as are viewed and some more.
// Each page is fetched once and cached; changes by the person are applied here as well,
// so that no change fetches a hundred thousand rows again.
//
// Independent of React and the network: `load` returns a page, `subscribe` and `snapshot`
// are what `useSyncExternalStore` needs.

import type { Page, Received } from '@petstore-platform/contract/platform/client'

/** The status is optional in requests; it is in every response. */
export type Animal = Required<Received<'listAnimals'>[number]>

/** What a list has of an animal about which nothing is written yet, without a photo and a request. */
export const unwritten: Pick<Animal, 'profile' | 'cover' | 'openRequests'> = {
  profile: {
    breed: '',
    sex: null,
    born: null,
    inCareSince: null,
    portrait: null,
    isHidden: false,
    isFeatured: false,
    completeness: 0,
  },
  cover: null,
  openRequests: 0,
}

export type RowsSnapshot = {
  loaded: number
  /** Whether these are all that there are. */
  isComplete: boolean
  /** The reason why no more are loaded at the moment. */
  error: unknown
}

export type Rows = {
  snapshot: () => RowsSnapshot
  subscribe: (listener: () => void) => () => void
  at: (index: number) => Animal | undefined
  slice: (from: number, to: number) => readonly Animal[]
  /** Fetches on until there is a row at that index or the list ends. The latest index wins. */
  want: (index: number) => Promise<void>
  /** Continues where fetching failed. */
  retry: () => void
  /** Fetches the viewed rows again, which others may have changed. Until they arrive, the old ones stay. */
  renew: () => Promise<void>
  /** Put first, whatever the order: people see what they have just added. */
  add: (animal: Animal) => void
  /** Rows for which `change` returns no animal are no longer in this list. */
  change: (ids: ReadonlySet<bigint>, change: (animal: Animal) => Animal | undefined) => void
}

export function createRows(load: (cursor: string | undefined) => Promise<Page<Animal>>): Rows {
  let rows: Animal[] = []
  let next: string | undefined
  let isComplete = false
  let error: unknown
  let wanted = -1
  let fetching: Promise<void> | undefined
  let changes = 0
  const added = new Set<bigint>()
  const listeners = new Set<() => void>()
  let snapshot: RowsSnapshot = { loaded: 0, isComplete, error }

  function notify(): void {
    snapshot = { loaded: rows.length, isComplete, error }
    for (const listener of listeners) listener()
  }

  const isMissing = () => !isComplete && error === undefined && rows.length <= wanted

  async function fetchOn(): Promise<void> {
    do {
      try {
        const page = await load(next)
        for (const animal of page.items) if (!added.has(animal.id)) rows.push(animal)
        next = page.next
        isComplete = next === undefined
      } catch (failure) {
        error = failure
      }
      notify()
    } while (isMissing())
    fetching = undefined
  }
  async function refetch(): Promise<void> {
    const before = changes
    const fresh: Animal[] = []
    let cursor: string | undefined
    try {
      do {
        const page = await load(cursor)
        fresh.push(...page.items)
        cursor = page.next
      } while (cursor !== undefined && fresh.length <= wanted)
      // What was changed here on the way may be missing in what came.
      if (changes !== before) return await refetch()
      rows = fresh
      next = cursor
      isComplete = next === undefined
      error = undefined
      added.clear()
    } catch (failure) {
      error = failure
    }
    notify()
  }

  /** One page at a time: where a page begins is known only when the one before is there. */
  const go = (): Promise<void> => (fetching ??= isMissing() ? fetchOn() : undefined) ?? Promise.resolve()

  return {
    snapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    at: (index) => rows[index],
    slice: (from, to) => rows.slice(from, to),
    want(index) {
      wanted = index
      return go()
    },
    retry() {
      error = undefined
      notify()
      void go()
    },
    async renew() {
      await fetching
      fetching = refetch().finally(() => {
        fetching = undefined
      })
      await fetching
      await go()
    },
    add(animal) {
      changes += 1
      added.add(animal.id)
      rows = [animal, ...rows]
      notify()
    },
    change(ids, change) {
      changes += 1
      const changed: Animal[] = []
      for (const animal of rows) {
        const now = ids.has(animal.id) ? change(animal) : animal
        if (now) changed.push(now)
      }
      rows = changed
      notify()
    },
  }
}
