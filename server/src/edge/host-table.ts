// `createHostTable` is the host table of an edge, in memory: what each attached hostname serves. Every
// change has a number, and a change that is not newer than the newest one applied is ignored: pages
// may arrive twice or late, and a deleted name never comes back through an earlier change that was
// still in transit. Memory per name is what limits an edge: a name that redirects shares its
// strings with its target.

import type { Route } from '../fleet/protocol.ts'

/** A route that is not deleted. */
export type Attached = Exclude<Route, { kind: 'gone' }>
/** That a slug is suspended has no certificate. */
export type Certified = Extract<Route, { serial: string }>

export const certifiedOf = (route: Route | undefined): Certified | undefined =>
  route && 'serial' in route ? route : undefined

export type HostTable = {
  /** True if the change was new. */
  apply(route: Route): boolean
  /** Everything up to this number is known, whether or not it left a route. */
  advance(seq: number): void
  reset(): void
  find(hostname: string): Attached | undefined
  /** The number of the newest applied change. */
  readonly seq: number
  readonly size: number
  /** In the order of their numbers; routes that change during iteration come at the end. */
  routes(): Iterable<Attached>
}

export function createHostTable(): HostTable {
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
      // Even before setting: deleting first moves the entry to the end, which keeps the order of
      // numbers.
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

/** Uses the strings of its target's route, which belongs to the same project. */
function sharing(route: Attached, attached: ReadonlyMap<string, Attached>): Attached {
  const target = route.kind === 'redirect' ? attached.get(route.target) : undefined
  if (route.kind !== 'redirect' || !target || !('slug' in target)) return route
  return { ...route, target: target.hostname, slug: target.slug === route.slug ? target.slug : route.slug }
}
