// The transition table of an order: its next state, and the effect on its animal and its
// timer. The table is total; nothing else decides.
//
// A visitor's order holds the animal for ORDER_HOLD. Within that time a member approves
// it, which sells the animal, or declines it, which frees the animal; otherwise it
// expires, which frees the animal too. An order that is overdue but not expired yet can
// still be decided: the first transition wins.
//
// If the owner sets the animal's status by hand and the order no longer fits it (see
// pets/lifecycle.ts), the order is overridden: it is declined, and the animal stays as
// the owner set it.
//
// A decision is final. `delivered` is reserved: no transition leads there yet.

import type { OrderStatus } from '@petstore-platform/contract/orders'
import type { AnimalFact } from '../pets/lifecycle.ts'

/** The number of seconds for which an order holds an animal: 7 days. */
export const ORDER_HOLD = 7 * 24 * 60 * 60

/** The number of seconds before an order expires at which its members are reminded: 24 hours. */
export const ORDER_REMINDER = 24 * 60 * 60

/** `none` is an order that does not exist yet. */
export const orderStates = ['none', 'placed', 'approved', 'delivered', 'declined', 'expired'] as const
export type OrderState = (typeof orderStates)[number]

export const orderFacts = ['placed', 'approved', 'declined', 'expired', 'overridden'] as const
export type OrderFact = (typeof orderFacts)[number]

export type OrderStep = {
  next: OrderStatus
  /** The fact that this is for the animal, if any. */
  animal: Extract<AnimalFact, 'reserved' | 'released' | 'sold'> | undefined
  timer: 'set' | 'clear'
}

const held: OrderStep = { next: 'placed', animal: 'reserved', timer: 'set' }
const approved: OrderStep = { next: 'approved', animal: 'sold', timer: 'clear' }
const declined: OrderStep = { next: 'declined', animal: 'released', timer: 'clear' }
const expired: OrderStep = { next: 'expired', animal: 'released', timer: 'clear' }
const overridden: OrderStep = { next: 'declined', animal: undefined, timer: 'clear' }

/** Null means that the transition is not allowed. */
export const orderTransitions: Readonly<Record<OrderState, Readonly<Record<OrderFact, OrderStep | null>>>> = {
  none: { placed: held, approved: null, declined: null, expired: null, overridden: null },
  placed: { placed: null, approved, declined, expired, overridden },
  approved: { placed: null, approved: null, declined: null, expired: null, overridden: null },
  delivered: { placed: null, approved: null, declined: null, expired: null, overridden: null },
  declined: { placed: null, approved: null, declined: null, expired: null, overridden: null },
  expired: { placed: null, approved: null, declined: null, expired: null, overridden: null },
}

/** The reason why an order in this state can no longer be decided. */
export const decidedWords: Readonly<Record<Exclude<OrderState, 'none' | 'placed'>, string>> = {
  approved: 'This order has already been approved.',
  delivered: 'This order has already been delivered.',
  declined: 'This order has already been declined.',
  expired: 'This order has expired; the animal is available again.',
}
