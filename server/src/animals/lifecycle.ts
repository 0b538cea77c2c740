// The lifecycle of an animal, in one table: the status that follows from each fact. A fact is something that happened, in the
// past tense; a blank cell is a fact that changes nothing in this status, and is refused if a member asked for it.
//
// A request that holds an animal makes it pending, and available again when the hold ends. It is
// sold when it is handed over, and no longer when a hand-over turns out not to have happened.
//
// The owner may set any status by hand, at any time, and requests must fit it: `available` means
// that the animal is free, so no request holds it any more; `sold` means that there is nothing left
// to ask for, so every open request ends; `pending` keeps all of them.

import type { PetStatus } from '@petstore-platform/contract/pets'

export const animalFacts = [
  'held',
  'released',
  'handed_over',
  'returned',
  'set_available',
  'set_pending',
  'set_sold',
] as const
export type AnimalFact = (typeof animalFacts)[number]

/** The effect on the requests for the animal. */
export type AnimalEffect = 'release_hold' | 'close_requests'

export type AnimalStep = { next: PetStatus; effects: readonly AnimalEffect[] }

const quietly = (next: PetStatus): AnimalStep => ({ next, effects: [] })
const freed: AnimalStep = { next: 'available', effects: ['release_hold'] }
const sold: AnimalStep = { next: 'sold', effects: ['close_requests'] }
const byHand = { set_available: freed, set_pending: quietly('pending'), set_sold: sold }

export const animalTransitions: Readonly<Record<PetStatus, Readonly<Partial<Record<AnimalFact, AnimalStep>>>>> = {
  available: {
    held: quietly('pending'),
    // Free already.
    released: quietly('available'),
    handed_over: sold,
    returned: quietly('available'),
    ...byHand,
  },
  pending: {
    // By hand until now, or for a longer time; that no other request holds it is for the requests to ensure.
    held: quietly('pending'),
    released: quietly('available'),
    handed_over: sold,
    returned: quietly('pending'),
    ...byHand,
  },
  sold: {
    // A sold animal stays sold.
    released: quietly('sold'),
    handed_over: sold,
    returned: quietly('available'),
    ...byHand,
  },
}

export const setByOwner = (status: PetStatus): AnimalFact => `set_${status}`
