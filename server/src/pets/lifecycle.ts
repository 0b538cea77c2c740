// The transition table of an animal's status. The table is total; nothing else decides.
//
// An animal that is available can be reserved, and is pending then. It is freed when the
// order for it is declined or expires, and sold when it is approved.
//
// The owner may set any status by hand, at any time. A status set by hand is
// authoritative, so an open order must fit it: `available` means that the animal is free,
// and declines the order; `sold` means that another person has it, so it approves nothing
// and declines the order too; `pending` is what the order has made of the animal already,
// and keeps the order.

import type { PetStatus } from '@petstore-platform/contract/pets'

/** `released` is an order that was declined or has expired; `sold` one that was approved. */
export const animalFacts = ['reserved', 'released', 'sold', 'set_available', 'set_pending', 'set_sold'] as const
export type AnimalFact = (typeof animalFacts)[number]

/** The effect on the open order, if there is one. */
export type AnimalEffect = 'override_order'

export type AnimalStep = { next: PetStatus; effects: readonly AnimalEffect[] }

const quietly = (next: PetStatus): AnimalStep => ({ next, effects: [] })
const overriding = (next: PetStatus): AnimalStep => ({ next, effects: ['override_order'] })

/** Null means that the transition is not allowed. */
export const animalTransitions: Readonly<Record<PetStatus, Readonly<Record<AnimalFact, AnimalStep | null>>>> = {
  available: {
    reserved: quietly('pending'),
    // Free already.
    released: quietly('available'),
    // An approval counts even if the hold was lost.
    sold: quietly('sold'),
    set_available: overriding('available'),
    set_pending: quietly('pending'),
    set_sold: overriding('sold'),
  },
  pending: {
    // Held by an order, or by the owner's hand.
    reserved: null,
    released: quietly('available'),
    sold: quietly('sold'),
    set_available: overriding('available'),
    set_pending: quietly('pending'),
    set_sold: overriding('sold'),
  },
  sold: {
    reserved: null,
    // A sold animal stays sold.
    released: quietly('sold'),
    sold: quietly('sold'),
    set_available: overriding('available'),
    set_pending: quietly('pending'),
    set_sold: overriding('sold'),
  },
}

export const setByOwner = (status: PetStatus): AnimalFact => `set_${status}`
