// What a member does with a request: move it, hold or release its animal, and take the last change back, in the notice
// about it or with Ctrl+Z. A member who is second is notified that another one was faster, and sees the result.

import type { OperationId } from '@petstore-platform/contract/platform/client'
import type { ManagedOrder, OrderDecline, OrderMove } from '@petstore-platform/contract/platform/orders'
import { useHotkeys } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode, type RefObject } from 'react'
import { isRefused, useAction, wordsOf } from '../api.ts'
import { renew } from '../renew.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { notify } from '../ui/toasts.ts'
import { DeclineDialog } from './decline-dialog.tsx'
import { HoldDialog } from './hold-dialog.tsx'
import { animalOf, moveViews } from './views.ts'
import { VisitDialog, type VisitInput } from './visit-dialog.tsx'

const words = texts.orders

export type Moves = {
  move: (order: ManagedOrder, move: OrderMove) => void
  hold: (order: ManagedOrder) => void
  release: (order: ManagedOrder) => void
  undo: (order: ManagedOrder) => void
  /** The request that is being changed. */
  busy: bigint | undefined
  /** The one that was changed last on this page. */
  last: bigint | undefined
  /** To be put into the page. */
  dialogs: ReactNode
}

/** The last change of this window, on whichever page it was made. */
let undoable: { project: string; order: ManagedOrder } | undefined

const renews: readonly OperationId[] = ['listOrders', 'getOrder', 'getOverview', 'listAnimals', 'getAnimal']

/** `backTo`: where people are after a dialog whose button is gone. */
export function useMoves(backTo: RefObject<HTMLElement | null>): Moves {
  const { slug: project, mayEdit } = useProject()
  const cache = useQueryClient()
  const [arranging, setArranging] = useState<ManagedOrder>()
  const [declining, setDeclining] = useState<ManagedOrder>()
  const [holding, setHolding] = useState<ManagedOrder>()
  const [last, setLast] = useState<bigint>()

  const options = {
    renews,
    onRefused: ({ code, message }: { code: string; message: string }) => {
      // Shown next to the sentence.
      if (code === 'address_in_name') return true
      if (code !== 'wrong_state') return false
      notify({ title: words.late, message: words.lateText(message), isBad: true })
      void renew(cache, renews)
      return true
    },
  } as const
  const moving = useAction('moveOrder', options)
  const holdingIt = useAction('holdAnimal', options)
  const releasing = useAction('releaseAnimal', options)
  const undoing = useAction('undoOrder', options)
  const pending = [moving, holdingIt, releasing, undoing].find(({ isPending }) => isPending)

  /** Also after the person has left the page. A refusal has been shown. */
  const sent = (order: ManagedOrder, answer: Promise<ManagedOrder>, after: (now: ManagedOrder) => void) => {
    setLast(order.id)
    void answer.then(after, () => undefined)
  }
  const undo = (order: ManagedOrder) => {
    undoable = undefined
    sent(order, undoing.mutateAsync({ project, orderId: order.id }), () =>
      notify({ message: words.undone(order.visitor.name), about: 'requests' }),
    )
  }
  const changed = (message: string) => (order: ManagedOrder) => {
    const notice = { message, about: 'requests' }
    if (order.undoUntil === null) return notify(notice)
    undoable = { project, order }
    notify({ ...notice, undo: () => undo(order) })
  }
  const send = (order: ManagedOrder, fact: OrderMove, more: { visit?: VisitInput; decline?: OrderDecline } = {}) => {
    const answer = moving.mutateAsync({ project, orderId: order.id, body: { fact, ...more } })
    sent(order, answer, changed(moveViews[fact].done(order.visitor.name, animalOf(order))))
    return answer
  }
  const asking: Partial<Record<OrderMove, (order: ManagedOrder) => void>> = {
    visit_set: setArranging,
    declined: setDeclining,
  }

  useHotkeys([
    [
      'mod+Z',
      () => {
        if (undoable?.project === project && isUndoable(undoable.order, Date.now())) undo(undoable.order)
      },
    ],
  ])

  return {
    busy: pending?.variables?.orderId,
    last,
    undo,
    move: (order, fact) => void (asking[fact] ?? send)(order, fact),
    hold: setHolding,
    release(order) {
      const answer = releasing.mutateAsync({ project, orderId: order.id })
      sent(order, answer, changed(words.hold.released(animalOf(order))))
    },
    dialogs: mayEdit && (
      <>
        <VisitDialog
          order={arranging}
          backTo={backTo}
          onClose={() => setArranging(undefined)}
          onArrange={(order, visit) => {
            setArranging(undefined)
            void send(order, 'visit_set', { visit })
          }}
        />
        <DeclineDialog
          order={declining}
          backTo={backTo}
          onClose={() => setDeclining(undefined)}
          onDecline={(order, decline) =>
            send(order, 'declined', { decline }).then<undefined, string | undefined>(
              () => {
                setDeclining(undefined)
                return undefined
              },
              (error: unknown) => {
                if (isRefused(error, 'address_in_name')) return wordsOf(error)
                setDeclining(undefined)
                return undefined
              },
            )
          }
        />
        <HoldDialog
          order={holding}
          backTo={backTo}
          onClose={() => setHolding(undefined)}
          onHold={(order, days) => {
            setHolding(undefined)
            const answer = holdingIt.mutateAsync({ project, orderId: order.id, body: { days } })
            sent(order, answer, changed(words.hold.held(animalOf(order), order.visitor.name)))
          }}
        />
      </>
    ),
  }
}

export const isUndoable = ({ undoUntil }: Pick<ManagedOrder, 'undoUntil'>, now: number): boolean =>
  undoUntil !== null && Date.parse(undoUntil) > now
