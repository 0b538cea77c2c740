// Every cell of the lifecycle of animals, stated a second time in other terms.

import { petStatuses } from '@petstore-platform/contract/pets'
import { describe, expect, test } from 'vitest'
import { animalFacts, animalTransitions, setByOwner } from './lifecycle.ts'

const cells = petStatuses.flatMap((status) => animalFacts.map((fact) => [status, fact] as const))

test('the table covers every status, and no facts but those that are listed', () => {
  expect(Object.keys(animalTransitions).toSorted()).toEqual([...petStatuses].toSorted())
  for (const status of petStatuses)
    expect(Object.keys(animalTransitions[status]).filter((fact) => !animalFacts.some((one) => one === fact))).toEqual(
      [],
    )
})

test('nothing is refused but to hold an animal that is sold', () => {
  expect(cells.filter(([status, fact]) => animalTransitions[status][fact] === undefined)).toEqual([['sold', 'held']])
})

describe.each(petStatuses)('an animal that is %s', (status) => {
  const next = animalTransitions[status]

  test('is pending while it is held, unless it is sold', () => {
    expect(next.held?.next).toBe(status === 'sold' ? undefined : 'pending')
  })

  test('is free when it is released, unless it is sold', () => {
    expect(next.released).toEqual({ next: status === 'sold' ? 'sold' : 'available', effects: [] })
  })

  test('is sold when it is handed over, and free when that did not happen', () => {
    expect(next.handed_over?.next).toBe('sold')
    expect(next.returned).toEqual({ next: status === 'sold' ? 'available' : status, effects: [] })
  })

  test.each(petStatuses)('is %s when its owner sets it', (wished) => {
    expect(next[setByOwner(wished)]?.next).toBe(wished)
  })
})

test('requests are closed where an animal is sold, and a hold ends where the owner frees it; otherwise they stay', () => {
  for (const [status, fact] of cells) {
    const step = animalTransitions[status][fact]
    const expected = fact === 'handed_over' || fact === 'set_sold' ? ['close_requests'] : []
    expect([status, fact, step?.effects ?? []]).toEqual([
      status,
      fact,
      fact === 'set_available' ? ['release_hold'] : expected,
    ])
  }
})
