// `changesFor` decides what an edge receives of the host table. An edge that speaks protocol 1
// rejects a whole response for one kind or hostname it does not know, so it gets neither wildcards
// nor the names of dashboard and API, and a suspended site is gone to it. The names of dashboard and
// API go only to edges that were added to serve them.
//
// Numbers still advance: what an edge must not have is replaced by `gone` under the same number. Only
// a wildcard cannot be expressed in protocol 1, and is left out, as the numbers of names that were
// deleted long ago are; an edge advances past those when it gets an empty response twice.

import type { Changes, Route } from './protocol.ts'

/** `first`: protocol 1. `sites` and `api`: from protocol 2 on, without and with the names of dashboard and API. */
export type Audience = 'first' | 'sites' | 'api'

export const audienceOf = (protocol: number, servesApi: boolean): Audience =>
  protocol < 2 ? 'first' : servesApi ? 'api' : 'sites'

/** The same object if nothing is kept from this audience. */
export function changesFor(changes: Changes, audience: Audience, pageMax: number): Changes {
  if (changes.routes.every((route) => shownTo(audience, route) === route)) return changes
  const routes = changes.routes.flatMap((route) => shownTo(audience, route) ?? [])
  // More follow a full page. If nothing of it is shown, the edge must not advance past those.
  const isEndless = routes.length === 0 && changes.routes.length >= pageMax
  return { ...changes, routes, head: isEndless ? (changes.routes.at(-1)?.seq ?? 0) : changes.head }
}

/** True if the edge serves the name, and so may have the private key of its certificate. */
export const isServedBy = (audience: Audience, route: Route): boolean =>
  (shownTo(audience, route)?.kind ?? 'gone') !== 'gone'

function shownTo(audience: Audience, route: Route): Route | undefined {
  if (audience === 'api') return route
  if (audience === 'first' && route.hostname.startsWith('*')) return undefined
  const isKept = route.kind === 'service' || (route.kind === 'suspended' && audience === 'first')
  if (!isKept) return route
  const { seq, hostname, generation } = route
  return { seq, hostname, kind: 'gone', generation }
}

// `mustResync` decides which edges must resynchronise, starting with an empty table. Deleted
// hostnames are recorded for a limited time only, so an edge that was away for longer may have one
// whose deletion it will never receive. And after the database was restored to an earlier state, an
// edge may have changes that never happened.
//
// Reading a large table takes several responses, and in between the number of a new edge is as
// small as that of an edge that was away. So a new edge sends the number at which it started
// (`begun`: the last number there was then): it never had names that were deleted by that time.

type Known = { head: number; forgotten: number }

/** `begun` is 0 if the edge does not send it. */
export const mustResync = (after: number, begun: number, { head, forgotten }: Known): boolean =>
  after > head || (after > 0 && Math.max(after, begun) < forgotten)
