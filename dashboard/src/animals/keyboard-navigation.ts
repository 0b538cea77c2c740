// Keyboard navigation in a long table. Pure.

type Position = {
  active: number
  count: number
  /** Rows that can be seen at once. */
  inSight: number
}

/** Undefined for keys that lead nowhere. */
export function movedTo(key: string, { active, count, inSight }: Position): number | undefined {
  // One row stays in sight, so that people see where they come from.
  const page = Math.max(1, inSight - 1)
  const steps: Record<string, number> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + page,
    PageUp: active - page,
    Home: 0,
    End: count - 1,
  }
  const target = Object.hasOwn(steps, key) ? steps[key] : undefined
  return target === undefined || count === 0 ? undefined : Math.max(0, Math.min(count - 1, target))
}
