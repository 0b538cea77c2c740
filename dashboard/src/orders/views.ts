// A view for every stage of a request and every move. One that is added to the contract does not compile until it has
// a view here. Which moves are possible, the server says with each request.

import type { ManagedOrder, OrderErasure, OrderMove, OrderStage } from '@petstore-platform/contract/platform/orders'
import type { ProjectKind } from '@petstore-platform/contract/platform/projects'
import { CalendarDays, Check, Heart, MessagesSquare, RotateCcw, Undo2, X, type LucideIcon } from 'lucide-react'
import * as texts from '../texts/texts.ts'

const words = texts.orders

export const columnNames = ['new', 'talking', 'visit', 'approved'] as const satisfies readonly OrderStage[]
export type Column = (typeof columnNames)[number]

/** The moves that bring a request from one column into another. */
const drops: Readonly<Record<Column, Partial<Readonly<Record<Column, OrderMove>>>>> = {
  new: { talking: 'contacted', visit: 'visit_set', approved: 'approved' },
  talking: { visit: 'visit_set', approved: 'approved' },
  visit: { talking: 'contacted', approved: 'approved' },
  approved: { talking: 'reopened' },
}

/** How a request gets into a column by being dropped there; undefined if it cannot. */
export function dropMove({ stage, moves }: Pick<ManagedOrder, 'stage' | 'moves'>, to: Column): OrderMove | undefined {
  const from = columnNames.find((column) => column === stage)
  const move = from && drops[from][to]
  return move !== undefined && moves.includes(move) ? move : undefined
}

type MoveView = {
  /** What the button says. */
  action: (order: Pick<ManagedOrder, 'stage' | 'visit'>, kind: ProjectKind) => string
  icon: LucideIcon
  meaning: (visitor: string) => string
  done: (visitor: string, animal: string) => string
  /** A way towards a home, not out of the queue. */
  isForward: boolean
}

export const moveViews: Readonly<Record<OrderMove, MoveView>> = {
  visit_set: {
    action: ({ visit }) => (visit === null ? words.moves.visit_set : words.changeVisit),
    icon: CalendarDays,
    meaning: words.meanings.visit_set,
    done: words.moved.visit_set,
    isForward: true,
  },
  approved: {
    action: () => words.moves.approved,
    icon: Check,
    meaning: words.meanings.approved,
    done: words.moved.approved,
    isForward: true,
  },
  handed_over: {
    action: (_, kind) => words.moves.handed_over[kind],
    icon: Heart,
    meaning: words.meanings.handed_over,
    done: words.moved.handed_over,
    isForward: true,
  },
  contacted: {
    action: () => words.moves.contacted,
    icon: MessagesSquare,
    meaning: words.meanings.contacted,
    done: words.moved.contacted,
    isForward: true,
  },
  reopened: {
    action: ({ stage }) => (stage === 'approved' ? words.backToTalking : words.moves.reopened),
    icon: RotateCcw,
    meaning: words.meanings.reopened,
    done: words.moved.reopened,
    isForward: true,
  },
  declined: {
    action: () => words.moves.declined,
    icon: X,
    meaning: words.meanings.declined,
    done: words.moved.declined,
    isForward: false,
  },
  withdrawn: {
    action: () => words.moves.withdrawn,
    icon: Undo2,
    meaning: words.meanings.withdrawn,
    done: words.moved.withdrawn,
    isForward: false,
  },
}

/** The moves of a request in the order in which they are offered; none to the stage in which it is. */
export const offered = ({ stage, moves }: Pick<ManagedOrder, 'stage' | 'moves'>): OrderMove[] =>
  (Object.keys(moveViews) as OrderMove[]).filter(
    (move) => moves.includes(move) && !(stage === 'talking' && move === 'contacted'),
  )

/** The one that usually comes next; its button is the filled one. */
export const usualMoves: Readonly<Record<OrderStage, OrderMove | undefined>> = {
  new: 'contacted',
  talking: 'visit_set',
  visit: 'approved',
  approved: 'handed_over',
  completed: undefined,
  declined: 'reopened',
  withdrawn: undefined,
  closed: 'reopened',
  expired: 'reopened',
}

export const animalOf = ({ petName, petId }: Pick<ManagedOrder, 'petName' | 'petId'>): string =>
  petName === '' ? words.unnamed(String(petId)) : petName

/** Why a request has no details of its visitor any more. */
export const erasedWords = ({ afterDays }: OrderErasure): string =>
  afterDays === null ? words.erased.wanted : words.erased.after(afterDays)
