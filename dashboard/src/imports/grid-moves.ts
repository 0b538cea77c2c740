// Where the keys of a grid lead. Pure.

/** Counted from 0, as shown. */
export type GridPlace = { row: number; column: number }
export type GridSize = { rows: number; columns: number }

type Move = (at: GridPlace, size: GridSize) => GridPlace

const moves: Readonly<Record<string, Move>> = {
  ArrowUp: ({ row, column }) => ({ row: row - 1, column }),
  ArrowDown: ({ row, column }) => ({ row: row + 1, column }),
  ArrowLeft: ({ row, column }) => ({ row, column: column - 1 }),
  ArrowRight: ({ row, column }) => ({ row, column: column + 1 }),
  Home: ({ row }) => ({ row, column: 0 }),
  End: ({ row }, { columns }) => ({ row, column: columns - 1 }),
  PageUp: ({ row, column }) => ({ row: row - 10, column }),
  PageDown: ({ row, column }) => ({ row: row + 10, column }),
}

const within = (value: number, count: number) => Math.min(Math.max(value, 0), Math.max(count - 1, 0))

/** Undefined if the key moves nothing. */
export function movedBy(key: string, at: GridPlace, size: GridSize): GridPlace | undefined {
  const to = Object.hasOwn(moves, key) ? moves[key]?.(at, size) : undefined
  return to && { row: within(to.row, size.rows), column: within(to.column, size.columns) }
}
