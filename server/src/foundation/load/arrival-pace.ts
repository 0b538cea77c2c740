// The pace at which a file must arrive, whatever its size: a client on a slow line is given time, and one that holds a
// connection for nothing is not. Pure.

/** How much had arrived at a time, in milliseconds. */
export type Mark = { at: number; bytes: number }

export type Pace = { bytesPerSecond: number; windowMs: number; totalMs: number }

/** What a file that arrives depends on: others may want its room. */
export type Pacing = {
  /** The bytes per second that it must have now. */
  leastPace(): number
  arrived(bytes: number): void
  /** Aborted when others get its room. */
  ended: AbortSignal
}

/** Judged by the mark before the window, so a pause at its end counts, and nothing counts before it is full. */
export function isTooSlow(begun: number, marks: readonly Mark[], now: Mark, pace: Pace): boolean {
  if (now.at - begun >= pace.totalMs) return true
  const before = marks.findLast(({ at }) => now.at - at >= pace.windowMs)
  return before !== undefined && (now.bytes - before.bytes) * 1000 < pace.bytesPerSecond * (now.at - before.at)
}

/** The marks that a later judgement still needs, with the new one. */
export function markedAt(marks: readonly Mark[], now: Mark, { windowMs }: Pace): Mark[] {
  const first = marks.findLastIndex(({ at }) => now.at - at >= windowMs)
  return [...marks.slice(Math.max(0, first)), now]
}
