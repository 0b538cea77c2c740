// The host table of an edge, in memory: what is served under each attached hostname.
// Every change has a number, and a change that is not newer than the newest one seen is
// no news: so pages may come twice or late, and a name that is gone never comes back by
// one that was under way before it went. Memory per name is what limits an edge: a name
// that redirects shares its strings with the one that it leads to.

import type { Route } from '../fleet/protocol.ts'

/** A route that leads somewhere. */
export type Attached = Exclude<Route, { kind: 'gone' }>

export type Table = {
  /** Whether it was news. */
  apply(route: Route): boolean
  /** Everything up to this number is known, whether or not a route of it is left. */
  advance(seq: number): void
  reset(): void
  find(hostname: string): Attached | undefined
  /** The number of the newest change that it has seen. */
  readonly seq: number
  readonly size: number
  /** In the order of their numbers; what changes while somebody reads comes at the end. */
  routes(): Iterable<Attached>
}

export function createTable(): Table {
  let attached = new Map<string, Attached>()
  let seq = 0
  return {
    get seq() {
      return seq
    },
    get size() {
      return attached.size
    },
    apply(route) {
      if (route.seq <= seq) return false
      seq = route.seq
      // Also before setting: what is set anew moves to the end, which keeps the order of numbers.
      attached.delete(route.hostname)
      if (route.kind !== 'gone') attached.set(route.hostname, sharing(route, attached))
      return true
    },
    advance(to) {
      seq = Math.max(seq, to)
    },
    reset() {
      attached = new Map()
      seq = 0
    },
    find: (hostname) => attached.get(hostname),
    routes: () => attached.values(),
  }
}

/** With the strings of the route that it leads to, which is of the same project. */
function sharing(route: Attached, attached: ReadonlyMap<string, Attached>): Attached {
  const target = route.kind === 'redirect' ? attached.get(route.target) : undefined
  if (route.kind !== 'redirect' || !target) return route
  return { ...route, target: target.hostname, slug: target.slug === route.slug ? target.slug : route.slug }
}
