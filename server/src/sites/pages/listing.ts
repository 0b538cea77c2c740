// One page of a list, and where its neighbours begin. Pages are linked by the animals on
// them, not by numbers: a page stays correct while animals come and go.

import type { ShownAnimal } from '../publishing/content.ts'
import type { Place, Span } from './addresses.ts'
import type { Count, Listing } from './cards.ts'

type Seen = ShownAnimal & { isShown: boolean; isEnd: boolean }

const BEGINNING = 2n ** 63n - 1n
const OLDEST = -(2n ** 63n)
/** Before the first one of those that are scanned: nothing has been waiting since that day. */
const FIRST_DAY = '0001-01-01'

/** The animal at which to start, and the direction. */
export const questionOf = (span: Span): { from: bigint; isUpward: boolean } =>
  span === undefined
    ? { from: BEGINNING, isUpward: false }
    : 'before' in span
      ? { from: span.before, isUpward: false }
      : { from: span.after, isUpward: true }

/** The place at which to start in the order of waiting. */
export const placeOf = (place: Place | undefined): Place & { scannedAfter: bigint } =>
  place
    ? { ...place, scannedAfter: place.scannedAfter ?? OLDEST }
    : { scannedAfter: OLDEST, since: FIRST_DAY, id: OLDEST }

const shownOf = ({ id, name, categoryId, status }: Seen): ShownAnimal => ({ id, name, categoryId, status })

/**
 * Two lists as one: reserved animals keep their places among the available ones. It ends where one of the two was not
 * scanned any further, so that the next page leaves none out. `most`: how many rows a list has if there may be more.
 */
export function merged(lists: readonly (readonly Seen[])[], isUpward: boolean, most: number): Seen[] {
  const isBefore = (one: bigint, other: bigint) => (isUpward ? one < other : one > other)
  const ends = lists.flatMap((seen) => {
    const isFull = seen.filter(({ isShown }) => isShown).length >= most
    return (isFull ? seen.at(-1) : seen.find(({ isEnd }) => isEnd))?.id ?? []
  })
  return lists
    .flat()
    .filter(({ id }) => ends.every((end) => !isBefore(end, id)))
    .sort((one, other) => (isBefore(one.id, other.id) ? -1 : 1))
}

/** From the rows in the direction of the query; one more than fits means that there is another page. */
export function listingOf(seen: readonly Seen[], span: Span, size: number): Listing {
  const isUpward = questionOf(span).isUpward
  const shown = seen.filter(({ isShown }) => isShown)
  const animals = shown.slice(0, size).map(shownOf)
  const end = seen.find(({ isEnd }) => isEnd)
  const isFull = shown.length > size
  const reached = isFull ? animals.at(-1)?.id : end?.id
  const isCut = !isFull && end !== undefined
  if (!isUpward) {
    const older = reached === undefined ? undefined : { before: reached }
    return { animals, newer: newerThan(span, animals), older, isCut }
  }
  const older = animals[0] ? { before: animals[0].id } : undefined
  return { animals: animals.toReversed(), newer: reached === undefined ? undefined : { after: reached }, older }
}

/** A visitor who followed a link to the next page can go back; from an empty page, to the start. */
function newerThan(span: Span, animals: readonly ShownAnimal[]): Listing['newer'] {
  if (span === undefined) return undefined
  return animals[0] ? { after: animals[0].id } : 'start'
}

/** In the order of waiting; it only goes forward, and back to the start. */
export function waitingOf(
  seen: readonly (Seen & { since: string })[],
  place: Place | undefined,
  size: number,
): Listing {
  const shown = seen.filter(({ isShown }) => isShown)
  const end = seen.find(({ isEnd }) => isEnd)
  const last = shown.length > size ? shown[size - 1] : undefined
  const older = last
    ? { scannedAfter: place?.scannedAfter, since: last.since, id: last.id }
    : end && { scannedAfter: end.id, since: FIRST_DAY, id: 0n }
  return {
    animals: shown.slice(0, size).map(shownOf),
    newer: place && 'start',
    older,
    isCut: last === undefined && end !== undefined,
  }
}

/** The newest, reserved or not: an animal keeps its place when it is reserved. */
export function withReserved(reserved: readonly ShownAnimal[], listing: Listing, size: number): Listing {
  const all = [...listing.animals, ...reserved].sort((one, other) => (one.id < other.id ? 1 : -1))
  const last = all[size - 1]
  return {
    ...listing,
    animals: all.slice(0, size),
    older: listing.older ?? (all.length > size && last ? { before: last.id } : undefined),
  }
}

/** Those that the owner wants to be seen first, then the newest; each once. */
export function withFeatured(featured: readonly ShownAnimal[], listing: Listing, size: number): Listing {
  const first = new Set(featured.map(({ id }) => id))
  const all = [...featured, ...listing.animals.filter(({ id }) => !first.has(id))]
  const last = all[size - 1]
  return {
    ...listing,
    animals: all.slice(0, size),
    older: listing.older ?? (all.length > size && last ? { before: last.id } : undefined),
  }
}

/** The numbers of animals in each category that is shown; undefined if they are too many to be counted. */
export function countsOf(
  counted: readonly (Count & { categoryId: bigint; scanned: number })[],
  isHidden: (categoryId: bigint) => boolean,
  most: number,
): Listing['counts'] {
  const all = counted.reduce((sum, { scanned }) => sum + scanned, 0)
  if (all > most) return undefined
  return new Map(
    counted
      .filter(({ categoryId, available, pending }) => available + pending > 0 && !isHidden(categoryId))
      .map(({ categoryId, available, pending }) => [categoryId, { available, pending }]),
  )
}
