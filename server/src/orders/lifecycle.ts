// The lifecycle of a request, in one table: the stage that follows from each fact. A fact is something that happened, in the
// past tense; a blank cell is a fact that changes nothing in this stage, and is refused if a member asked for it. `moves.ts`
// adds what follows for the animal.
//
// A request is new until a member acts. An approval sells nothing: the animal is sold when it is
// handed over, which ends the other requests for it as *animal gone*, never as declined. A request
// about which nothing happens expires, unless a visit is arranged or it is approved. What ended can
// be reopened, except by the visitor's own withdrawal.

import type { OrderStatus } from '@petstore-platform/contract/orders'
import {
  openStages,
  orderStages,
  stageGroups,
  type HoldRule,
  type OrderMove,
  type OrderStage,
  type StageFilter,
} from '@petstore-platform/contract/platform/orders'

export const orderFacts = [
  'contacted',
  'visit_set',
  'approved',
  'handed_over',
  'declined',
  'withdrawn',
  'animal_gone',
  'silent',
  'reopened',
] as const satisfies readonly (OrderMove | 'animal_gone' | 'silent')[]
export type OrderFact = (typeof orderFacts)[number]

/** `before` is the stage in which the request ended. */
type Target = OrderStage | 'before'

const ended = { handed_over: 'completed', declined: 'declined', withdrawn: 'withdrawn', animal_gone: 'closed' } as const
const undecided = { ...ended, contacted: 'talking', visit_set: 'visit', approved: 'approved' } as const
/** Nothing was arranged that a member must remember. */
const expiring = { ...undecided, silent: 'expired' } as const

const reopenable = { reopened: 'before' } as const

export const orderTransitions: Readonly<Record<OrderStage, Readonly<Partial<Record<OrderFact, Target>>>>> = {
  new: expiring,
  talking: expiring,
  visit: undecided,
  approved: { ...ended, visit_set: 'approved', reopened: 'talking' },
  completed: { reopened: 'approved' },
  declined: reopenable,
  withdrawn: {},
  closed: reopenable,
  expired: reopenable,
}

/** The state that `/v1` shows. */
export const statusOf: Readonly<Record<OrderStage, OrderStatus>> = {
  new: 'placed',
  talking: 'placed',
  visit: 'placed',
  approved: 'approved',
  completed: 'delivered',
  declined: 'declined',
  withdrawn: 'declined',
  closed: 'declined',
  expired: 'expired',
}

export type OpenStage = (typeof openStages)[number]

export const isOpen = (stage: OrderStage): stage is OpenStage => (openStages as readonly OrderStage[]).includes(stage)

/** Whether the data of the visitor is erased some time after. That of a completed request is kept until asked for. */
export const isErasedLater: Readonly<Record<OrderStage, boolean>> = {
  new: false,
  talking: false,
  visit: false,
  approved: false,
  completed: false,
  declined: true,
  withdrawn: true,
  closed: true,
  expired: true,
}

/** The stages whose beginning holds an animal that is available, by the project's rule. */
export const holdingStages: Readonly<Record<HoldRule, readonly OrderStage[]>> = {
  by_hand: [],
  on_approval: ['approved'],
  on_visit: ['visit', 'approved'],
  on_first_request: ['new', 'visit', 'approved'],
}

/** Why a fact of a blank cell is refused. */
export const objections: Readonly<Record<OrderStage, string>> = {
  new: 'This request is already open.',
  talking: 'This request is already open.',
  visit: 'This request is already open.',
  approved: 'This request has already been approved.',
  completed: 'The animal has already been handed over.',
  declined: 'This request has already been declined.',
  withdrawn: 'The visitor has withdrawn this request.',
  closed: 'This request was closed, because the animal is gone.',
  expired: 'This request has expired.',
}

type Filters = { status: OrderStatus | undefined; stage: StageFilter | undefined }

/** The stages that both filters admit; undefined without a filter. */
export function filteredStages({ status, stage }: Filters): readonly OrderStage[] | undefined {
  if (status === undefined && stage === undefined) return undefined
  const isIn = (each: OrderStage) => {
    if (stage === undefined) return true
    if (stage === stageGroups[0]) return isOpen(each)
    return stage === stageGroups[1] ? !isOpen(each) : each === stage
  }
  return orderStages.filter((each) => (status === undefined || statusOf[each] === status) && isIn(each))
}
