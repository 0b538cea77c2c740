// Putting photos in order: what a key or a pointer moves where. Pure.

/** The same identifiers, with one of them at another place. */
export function movedTo(ids: readonly string[], id: string, to: number): string[] {
  const others = ids.filter((other) => other !== id)
  const place = Math.max(0, Math.min(others.length, to))
  return [...others.slice(0, place), id, ...others.slice(place)]
}

/** Where a key moves the photo that is picked up; undefined for keys that move nothing. */
export function placeAfter(key: string, place: number, count: number): number | undefined {
  const last = count - 1
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowUp':
      return Math.max(0, place - 1)
    case 'ArrowRight':
    case 'ArrowDown':
      return Math.min(last, place + 1)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return undefined
  }
}

export const isSameOrder = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id, place) => id === other[place])

/** In the wished order: what is no longer there is left out, what has come since is last. */
export function reordered<Item extends { id: string }>(items: readonly Item[], wished: readonly string[]): Item[] {
  const placeOf = ({ id }: Item) => {
    const place = wished.indexOf(id)
    return place === -1 ? wished.length : place
  }
  return items.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/**
 * Photos that were chosen together are sent side by side, and the smallest arrives first. Those that arrived take the
 * places that they have among all, in the order in which they were chosen.
 */
export function asChosen(ids: readonly string[], chosenAt: ReadonlyMap<string, number>): string[] {
  const inOrder = ids
    .filter((id) => chosenAt.has(id))
    .toSorted((one, other) => (chosenAt.get(one) ?? 0) - (chosenAt.get(other) ?? 0))
  return ids.map((id) => (chosenAt.has(id) ? (inOrder.shift() ?? id) : id))
}

export type Point = { x: number; y: number }
export type Box = { left: number; top: number; right: number; bottom: number }

/** The place whose box is at the point, or nearest to it; -1 without boxes. */
export function placeAt(boxes: readonly Box[], point: Point): number {
  const distances = boxes.map((box) => distanceTo(box, point))
  return distances.indexOf(Math.min(...distances))
}

const distanceTo = ({ left, top, right, bottom }: Box, { x, y }: Point): number =>
  Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom))
