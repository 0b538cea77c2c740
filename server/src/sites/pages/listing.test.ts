// Reserved animals among the available ones: page after page, in both directions, each animal comes once and none is
// left out, also where a scan ends before it has found enough.

import { expect, test } from 'vitest'
import { listingOf, merged, questionOf } from './listing.ts'

type Row = Parameters<typeof merged>[0][number][number]

const SIZE = 4

/** Every third one is reserved; of the available ones, those in a gap are not shown. */
const all = Array.from({ length: 40 }, (_, n) => {
  const isReserved = n % 3 === 0
  const status: Row['status'] = isReserved ? 'pending' : 'available'
  return { id: BigInt(n + 1), name: `Rex ${n}`, categoryId: 1n, status, isSifted: !isReserved && n > 10 && n < 26 }
})
const shownIds = all.filter(({ isSifted }) => !isSifted).map(({ id }) => id)

/** As the queries read them: at most so many are scanned. */
function scan(status: Row['status'], from: bigint, isUpward: boolean, scanMax: number): Row[] {
  const looked = (isUpward ? all : all.toReversed())
    .filter((one) => one.status === status && (isUpward ? one.id > from : one.id < from))
    .slice(0, scanMax)
    .map(({ isSifted, ...one }, at) => ({ ...one, isShown: !isSifted, isEnd: at === scanMax - 1 }))
  return looked.filter(({ isShown, isEnd }) => isShown || isEnd).slice(0, SIZE + 1)
}

function page(span: Parameters<typeof questionOf>[0], scanMax: number) {
  const { from, isUpward } = questionOf(span)
  const lists = (['available', 'pending'] as const).map((status) => scan(status, from, isUpward, scanMax))
  return listingOf(merged(lists, isUpward, SIZE + 1), span, SIZE)
}

test.each([[100], [7], [5]])('all pages together show each animal once, if %i are scanned at a time', (scanMax) => {
  const down: bigint[] = []
  let { animals, older } = page(undefined, scanMax)
  down.push(...animals.map(({ id }) => id))
  while (older !== undefined && 'before' in older) {
    ;({ animals, older } = page(older, scanMax))
    down.push(...animals.map(({ id }) => id))
  }
  expect(down).toEqual(shownIds.toReversed())

  const up: bigint[] = []
  let newer: unknown = { after: 0n }
  while (typeof newer === 'object' && newer !== null && 'after' in newer) {
    const listing = page({ after: newer.after as bigint }, scanMax)
    up.push(...listing.animals.toReversed().map(({ id }) => id))
    newer = listing.newer
  }
  expect(up).toEqual(shownIds)
})

test('without the end of the shorter scan, animals would be left out (negative control)', () => {
  const lists = (['available', 'pending'] as const).map((status) => scan(status, 41n, false, 7))
  const naive = lists.flat().sort((one, other) => (one.id > other.id ? -1 : 1))
  expect(naive.map(({ id }) => id)).not.toEqual(merged(lists, false, SIZE + 1).map(({ id }) => id))
})
