// What follows from a fact about a request, for the request, its animal and the other requests for
// it. Pure: the animal as it is locked goes in, the changes come out.
//
// Two things always hold, whatever happens: at most one request holds an animal, and it is pending
// then; and a sold animal has no open request.

import type { PetStatus } from '@petstore-platform/contract/pets'
import {
  QUEUE_MAX,
  REOPEN_DAYS,
  SILENT_EXPIRY_DAYS,
  SILENT_REMINDER_DAYS,
  orderMoves,
  type HoldRule,
  type OrderMove,
  type OrderStage,
} from '@petstore-platform/contract/platform/orders'
import type { RefusalCode } from '@petstore-platform/contract/errors'
import { animalTransitions, type AnimalFact } from '../animals/lifecycle.ts'
import { holdingStages, isOpen, orderTransitions, objections, type OpenStage, type OrderFact } from './lifecycle.ts'

/** A request, and the animal that it is for. */
export type Situation = {
  stage: OrderStage
  /** The stage in which an ended request was; null if it is open. */
  stageBefore: OpenStage | null
  isHolding: boolean
  /** Whether it ended less than `REOPEN_DAYS` days ago; false if it is open. */
  isRecent: boolean
  petStatus: PetStatus
  /** Whether another request holds the animal. */
  isHeldByOther: boolean
  /** The number of other open requests for the animal. */
  othersOpen: number
}

/** An open request of a queue. */
export type Queued = { id: bigint; petId: bigint; isHolding: boolean }

/** What a request has to know of the others in the queue of its animal. */
export function othersIn(queue: readonly Queued[], ownId: bigint): Pick<Situation, 'isHeldByOther' | 'othersOpen'> {
  const others = queue.filter(({ id }) => id !== ownId)
  return { isHeldByOther: others.some(({ isHolding }) => isHolding), othersOpen: others.length }
}

/** What is written. */
export type RequestChange = {
  stage: OrderStage
  stageBefore: OpenStage | null
  isHolding: boolean
  /** True if the hold begins now, and lasts as long as the project says. */
  beginsHold: boolean
  petStatus: PetStatus
  /** True if the other open requests are closed. */
  closesOthers: boolean
}

export type Objection = { code: RefusalCode; because: string }

export const isObjection = (result: object): result is Objection => 'because' in result

const objection = (because: string, code: RefusalCode = 'wrong_state'): Objection => ({ code, because })

const gone = objection('The animal has found a home.')
const queueFull = objection(`There are ${QUEUE_MAX} open requests for this animal already.`, 'queue_full')

/** The animal's status after these facts; undefined if one of them is not allowed. */
function follow(status: PetStatus, facts: readonly AnimalFact[]): PetStatus | undefined {
  let next: PetStatus | undefined = status
  for (const fact of facts) next = next && animalTransitions[next][fact]?.next
  return next
}

export function moveBy(situation: Situation, fact: OrderFact, rule: HoldRule): RequestChange | Objection {
  const { stage, stageBefore, petStatus } = situation
  const target = orderTransitions[stage][fact]
  if (target === undefined) return objection(objections[stage])
  const next = target === 'before' ? (stageBefore ?? 'new') : target
  const isReopened = !isOpen(stage)
  if (isReopened && !situation.isRecent) {
    return objection(`A request can be reopened for ${REOPEN_DAYS} days after it ended.`)
  }
  if (isReopened && situation.othersOpen >= QUEUE_MAX) return queueFull

  const facts: AnimalFact[] = stage === 'completed' ? ['returned'] : []
  const before = follow(petStatus, facts)
  if (isOpen(next) && before === 'sold') return gone
  const isByRule = next !== stage && holdingStages[rule].includes(next) && before === 'available'
  const isHolding = isOpen(next) && (situation.isHolding || isByRule)
  const beginsHold = isHolding && !situation.isHolding
  if (next === 'completed') facts.push('handed_over')
  else if (beginsHold) facts.push('held')
  else if (situation.isHolding && !isHolding) facts.push('released')
  return {
    stage: next,
    stageBefore: isOpen(next) ? null : isOpen(stage) ? stage : stageBefore,
    isHolding,
    beginsHold,
    petStatus: follow(petStatus, facts) ?? petStatus,
    closesOthers: next === 'completed',
  }
}

/** The moves that a member can make now. */
export const movesOf = (situation: Situation): OrderMove[] =>
  // No rule for holds makes a move possible or impossible.
  orderMoves.filter((move) => !isObjection(moveBy(situation, move, 'by_hand')))

const staying = ({ stage, stageBefore, petStatus }: Situation) => ({
  stage,
  stageBefore,
  petStatus,
  beginsHold: false,
  closesOthers: false,
})

/** The animal is held for this request, for a new time if it was already. */
export function holdFor(situation: Situation): RequestChange | Objection {
  if (!isOpen(situation.stage)) return objection(objections[situation.stage])
  const petStatus = follow(situation.petStatus, ['held'])
  if (petStatus === undefined) return gone
  if (situation.isHeldByOther) return objection('The animal is held for another request. Release it first.')
  return { ...staying(situation), isHolding: true, beginsHold: true, petStatus }
}

/** The animal is no longer held for this request, which stays where it is. */
export function release(situation: Situation): RequestChange | Objection {
  if (!situation.isHolding) return objection('This request does not hold the animal.')
  return {
    ...staying(situation),
    isHolding: false,
    petStatus: follow(situation.petStatus, ['released']) ?? situation.petStatus,
  }
}

/** A new request, last in the queue. */
export function place(
  { petStatus, othersOpen }: Pick<Situation, 'petStatus' | 'othersOpen'>,
  rule: HoldRule,
): Pick<RequestChange, 'isHolding' | 'petStatus'> | Objection {
  if (petStatus === 'sold') return objection('This animal is no longer available.', 'not_available')
  if (othersOpen >= QUEUE_MAX) return queueFull
  const isHolding = petStatus === 'available' && holdingStages[rule].includes('new')
  return { isHolding, petStatus: isHolding ? (follow(petStatus, ['held']) ?? petStatus) : petStatus }
}

/** Whether a request may return to where it was: the animal is as the change left it, and there is room. */
export function isUndoable(
  { petStatus, othersOpen, isHeldByOther }: Pick<Situation, 'petStatus' | 'othersOpen' | 'isHeldByOther'>,
  change: { petBefore: PetStatus; petAfter: PetStatus },
  before: { stage: OrderStage; isHolding: boolean },
): boolean {
  const isPetChanged = change.petBefore !== change.petAfter
  if (isPetChanged && petStatus !== change.petAfter) return false
  const restored = isPetChanged ? change.petBefore : petStatus
  if (!isOpen(before.stage)) return restored !== 'sold' || othersOpen === 0
  if (restored === 'sold' || othersOpen >= QUEUE_MAX) return false
  return !before.isHolding || (!isHeldByOther && restored === 'pending')
}

const DAY_SECONDS = 24 * 3600
/** How long before its expiry the members are reminded of a request. */
const REMINDER_SECONDS = (SILENT_EXPIRY_DAYS - SILENT_REMINDER_DAYS) * DAY_SECONDS

/** What happens to a request without anyone's doing; null if it never does. */
export type Clock = { holdSeconds: number | null; expirySeconds: number | null; isReminded: boolean }

const DUE = ['expire', 'release', 'remind'] as const
export type Due = (typeof DUE)[number]

/** What is due next, and in how many seconds; undefined if nothing ever is. What is overdue is negative. */
export function nextDue({ holdSeconds, expirySeconds, isReminded }: Clock): { what: Due; seconds: number } | undefined {
  const seconds: Readonly<Record<Due, number | null>> = {
    expire: expirySeconds,
    release: holdSeconds,
    remind: expirySeconds === null || isReminded ? null : expirySeconds - REMINDER_SECONDS,
  }
  // A request that has expired is neither released nor reminded of first.
  if (expirySeconds !== null && expirySeconds <= 0) return { what: 'expire', seconds: expirySeconds }
  return DUE.flatMap((what) => (seconds[what] === null ? [] : [{ what, seconds: seconds[what] }])).sort(
    (one, other) => one.seconds - other.seconds,
  )[0]
}
