// Which edges must begin anew, with an empty table. Names that are gone are remembered
// for a while only, so an edge that was away for longer may hold one that it will never
// be told of. And after the database was brought back to an earlier state, an edge may
// know changes that never were.
//
// Reading a large table takes several answers, and in between the number of a beginner is
// as small as that of one who was away. So a beginner says when it began (`begun`: the
// last number there was then): what was gone by that time it never had.

type Known = { head: number; forgotten: number }

/** `begun` is 0 for who does not say. */
export const mustResync = (after: number, begun: number, { head, forgotten }: Known): boolean =>
  after > head || (after > 0 && Math.max(after, begun) < forgotten)
