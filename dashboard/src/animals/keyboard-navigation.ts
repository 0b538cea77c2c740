// Keyboard navigation in a long list of rows, or of cards in lines. Pure.

type Position = {
  active: number
  count: number
  /** Side by side in a line. */
  columns: number
  /** Lines that can be seen at once. */
  inSight: number
}

/** Undefined for keys that lead nowhere. */
export function movedTo(key: string, { active, count, columns, inSight }: Position): number | undefined {
  if (count === 0) return undefined
  const last = count - 1
  /** Stays in its column, or goes to the last one of a shorter line. */
  const byLines = (lines: number) => {
    const column = active % columns
    const line = Math.floor(active / columns) + lines
    return Math.min(last, Math.max(0, Math.min(Math.floor(last / columns), line)) * columns + column)
  }
  // One line stays in sight, so that people see where they come from.
  const page = Math.max(1, inSight - 1)
  switch (key) {
    case 'ArrowDown':
      return byLines(1)
    case 'ArrowUp':
      return byLines(-1)
    case 'PageDown':
      return byLines(page)
    case 'PageUp':
      return byLines(-page)
    case 'ArrowRight':
      return columns === 1 ? undefined : Math.min(last, active + 1)
    case 'ArrowLeft':
      return columns === 1 ? undefined : Math.max(0, active - 1)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return undefined
  }
}
