// A view for every status of an order. One that is added to the contract does not compile
// until it has a view here.

import type { OrderStatus } from '@petstore-platform/contract/orders'
import type { ManagedOrder } from '@petstore-platform/contract/platform/orders'
import * as texts from '../texts/texts.ts'
import type { Tone } from '../ui/badge.tsx'

const { states, outcomes, unnamed } = texts.orders

type StatusView = {
  label: string
  tone: Tone
  isWaiting: boolean
  /** The result, by whom and when; the list of open orders shows other fields. */
  outcome: (by: string, when: string) => string
}

export const statusViews: Record<OrderStatus, StatusView> = {
  placed: { label: states.placed, tone: 'wait', isWaiting: true, outcome: () => '' },
  approved: { label: states.approved, tone: 'good', isWaiting: false, outcome: outcomes.approved },
  delivered: { label: states.delivered, tone: 'good', isWaiting: false, outcome: outcomes.delivered },
  declined: { label: states.declined, tone: 'plain', isWaiting: false, outcome: outcomes.declined },
  expired: { label: states.expired, tone: 'warn', isWaiting: false, outcome: (_, when) => outcomes.expired(when) },
}

export const animalOf = ({ petName, petId }: ManagedOrder): string =>
  petName === '' ? unnamed(String(petId)) : petName
