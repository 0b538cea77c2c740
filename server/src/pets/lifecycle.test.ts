// Every cell of the transition table of animals, stated a second time in other terms.

import { petStatuses } from '@petstore-platform/contract/pets'
import { describe, expect, test } from 'vitest'
import { animalFacts, animalTransitions, setByOwner, type AnimalFact } from './lifecycle.ts'

const cells = petStatuses.flatMap((status) => animalFacts.map((fact) => [status, fact] as const))
const isByHand = (fact: AnimalFact) => fact.startsWith('set_')

test('the table covers every status and every fact, and no others', () => {
  expect(Object.keys(animalTransitions).sort()).toEqual([...petStatuses].sort())
  for (const status of petStatuses)
    expect(Object.keys(animalTransitions[status]).sort()).toEqual([...animalFacts].sort())
})

test('only an available animal can be reserved, and is pending then', () => {
  expect(petStatuses.filter((status) => animalTransitions[status].reserved !== null)).toEqual(['available'])
  expect(animalTransitions.available.reserved).toEqual({ next: 'pending', effects: [] })
})

test('no fact but a reservation is ever refused', () => {
  const refused = cells.filter(([status, fact]) => animalTransitions[status][fact] === null)
  expect(refused).toEqual([
    ['pending', 'reserved'],
    ['sold', 'reserved'],
  ])
})

describe.each(petStatuses)('an animal that is %s', (status) => {
  test('is sold when the order for it is approved', () => {
    expect(animalTransitions[status].sold).toEqual({ next: 'sold', effects: [] })
  })

  test('is free when it is released, unless it is sold', () => {
    expect(animalTransitions[status].released).toEqual({ next: status === 'sold' ? 'sold' : 'available', effects: [] })
  })

  test.each(petStatuses)('is %s when its owner sets it', (wished) => {
    expect(animalTransitions[status][setByOwner(wished)]?.next).toBe(wished)
  })
})

test('a status set by hand overrides an open order, except pending; no other fact does', () => {
  for (const [status, fact] of cells) {
    const isOverriding = isByHand(fact) && fact !== 'set_pending'
    expect(animalTransitions[status][fact]?.effects ?? [], `${status}, ${fact}`).toEqual(
      isOverriding ? ['override_order'] : [],
    )
  }
})
