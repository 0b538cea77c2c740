// The focal point of a photo: a cell of a grid of 5 × 5, which stays visible where the photo is cropped. Pure.

import type { Focal, FOCAL_CELLS } from '@petstore-platform/contract/platform/photos'

const CELLS: typeof FOCAL_CELLS = 5

/** All cells, row by row. */
export const focalCells: readonly Focal[] = Array.from({ length: CELLS * CELLS }, (_, index) => ({
  x: index % CELLS,
  y: Math.floor(index / CELLS),
}))

export const isSameCell = (one: Focal, other: Focal): boolean => one.x === other.x && one.y === other.y

const steps: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** The cell beside, as a key says; it stays in the grid. Undefined for other keys. */
export function cellAfter(key: string, { x, y }: Focal): Focal | undefined {
  const step = steps[key]
  if (!step) return undefined
  const within = (value: number) => Math.max(0, Math.min(CELLS - 1, value))
  return { x: within(x + step[0]), y: within(y + step[1]) }
}
