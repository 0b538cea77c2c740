// One page of a list, and where its neighbours begin. Pages are linked by the animals on
// them, not by numbers: a page stays correct while animals come and go.

import type { ShownAnimal } from '../deployments/content.ts'
import type { Span } from './addresses.ts'
import type { Listing } from './cards.ts'

type Seen = ShownAnimal & { isShown: boolean; isEnd: boolean }

const BEGINNING = 2n ** 63n - 1n

/** The animal at which to start, and the direction. */
export const questionOf = (span: Span): { from: bigint; isUpward: boolean } =>
  span === undefined
    ? { from: BEGINNING, isUpward: false }
    : 'before' in span
      ? { from: span.before, isUpward: false }
      : { from: span.after, isUpward: true }

/** From the rows in the direction of the query; one more than fits means that there is another page. */
export function listingOf(seen: readonly Seen[], span: Span, size: number): Listing {
  const isUpward = questionOf(span).isUpward
  const shown = seen.filter(({ isShown }) => isShown)
  const animals = shown.slice(0, size).map(({ id, name, categoryId, status }) => ({ id, name, categoryId, status }))
  const end = seen.find(({ isEnd }) => isEnd)
  const reached = shown.length > size ? animals.at(-1)?.id : end?.id
  if (!isUpward)
    return { animals, newer: newerThan(span, animals), older: reached === undefined ? undefined : { before: reached } }
  const older = animals[0] ? { before: animals[0].id } : undefined
  return { animals: animals.toReversed(), newer: reached === undefined ? undefined : { after: reached }, older }
}

/** A visitor who followed a link to the next page can go back; from an empty page, to the start. */
function newerThan(span: Span, animals: readonly ShownAnimal[]): Listing['newer'] {
  if (span === undefined) return undefined
  return animals[0] ? { after: animals[0].id } : 'start'
}

/** The number of animals in each category that is shown; undefined if they are too many to be counted. */
export function countsOf(
  counted: readonly { categoryId: bigint; count: number }[],
  isHidden: (categoryId: bigint) => boolean,
  most: number,
): Listing['counts'] {
  const all = counted.reduce((sum, { count }) => sum + count, 0)
  if (all > most) return undefined
  return new Map(counted.filter(({ categoryId }) => !isHidden(categoryId)).map((row) => [row.categoryId, row.count]))
}
