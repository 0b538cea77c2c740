// The life of an animal: what becomes of its status, whatever happens to it. The
// table is total; nothing else decides.
//
// An animal that is available can be reserved, and is pending then. It is freed
// when the order for it is declined or expires, and sold when it is approved.
//
// The owner may set any status by hand, at any time. What was set by hand is
// true, so an order that waits for a decision must fit it: `available` says that
// nobody holds the animal, and declines the order; `sold` says that somebody else
// has it, so it approves nothing and declines the order too; `pending` is what
// the order has made of the animal already, and keeps the order.

import type { PetStatus } from '@petstore/contract/pets'

/** `released` is an order that was declined or has expired; `sold` one that was approved. */
export const animalFacts = ['reserved', 'released', 'sold', 'set_available', 'set_pending', 'set_sold'] as const
export type AnimalFact = (typeof animalFacts)[number]

/** What becomes of the order that waits for a decision, if there is one. */
export type AnimalEffect = 'override_order'

export type AnimalStep = { next: PetStatus; effects: readonly AnimalEffect[] }

const quietly = (next: PetStatus): AnimalStep => ({ next, effects: [] })
const overriding = (next: PetStatus): AnimalStep => ({ next, effects: ['override_order'] })

/** Null is what cannot be done. */
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
    // Whoever has the animal keeps it.
    released: quietly('sold'),
    sold: quietly('sold'),
    set_available: overriding('available'),
    set_pending: quietly('pending'),
    set_sold: overriding('sold'),
  },
}

export const setByOwner = (status: PetStatus): AnimalFact => `set_${status}`
