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
