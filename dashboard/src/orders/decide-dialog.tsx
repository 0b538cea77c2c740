// The decision on an order, with its consequences for the animal. A member who decides
// second is notified that another one was faster, and sees the result.

import type { ManagedOrder } from '@petstore-platform/contract/platform/orders'
import { Button } from '@mantine/core'
import { Check, X } from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import { isRefused, renew, useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Dialog, type DialogProps } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { useLasting } from '../ui/lasting.ts'
import { notify } from '../ui/toasts.ts'
import { OrCancel } from '../ui/with-cancel.tsx'
import { Next, nextWords } from './next-step.tsx'
import { animalOf } from './views.ts'

const words = texts.orders

type Kind = 'approve' | 'decline'
export type Decision = { order: ManagedOrder; kind: Kind }

type KindView = {
  title: (animal: string, visitor: string) => string
  text: (animal: string) => string
  does: string
  done: (animal: string, next: string) => string
}
const kinds: Record<Kind, KindView> = {
  approve: { title: words.approveTitle, text: words.approveText, does: words.approve, done: words.approved },
  decline: { title: words.declineTitle, text: words.declineText, does: words.decline, done: words.declined },
}

type DecideProps = Pick<DialogProps, 'onClose' | 'backTo'> & {
  /** Undefined: the dialog is closed. */
  decision: Decision | undefined
}

export function DecideDialog({ decision, onClose, backTo }: DecideProps) {
  const shown = useLasting(decision)
  return (
    <Dialog
      isOpen={decision !== undefined}
      onClose={onClose}
      backTo={backTo}
      title={shown && kinds[shown.kind].title(animalOf(shown.order), shown.order.visitor.name)}
    >
      {shown && <Question {...shown} onClose={onClose} />}
    </Dialog>
  )
}

function Question({ order, kind, onClose }: Decision & { onClose: () => void }) {
  const { slug } = useProject()
  const cache = useQueryClient()
  const animal = animalOf(order)
  const { text, does, done } = kinds[kind]
  const options = {
    renews: ['listOrders', 'getOverview', 'listAnimals'],
    onDone: () => notify({ message: done(animal, nextWords(order)) }),
    onRefused: ({ code, message }: { code: string; message: string }) => {
      if (code !== 'wrong_state') return false
      notify({ title: words.late, message: words.lateText(message), isBad: true })
      return true
    },
  } as const
  const approve = useAction('approveOrder', options)
  const decline = useAction('declineOrder', options)
  const action = kind === 'approve' ? approve : decline
  const decide = async () => {
    try {
      await action.mutateAsync({ project: slug, orderId: order.id })
    } catch (error) {
      if (!isRefused(error, 'wrong_state')) return
      await renew(cache, ['listOrders'])
    }
    onClose()
  }
  return (
    <div className="stack">
      <p className="plain">
        {text(animal)} {words.once}
      </p>
      <p className="plain">
        <Next order={order} />
      </p>
      <OrCancel onCancel={onClose}>
        <Button
          leftSection={<Icon of={kind === 'approve' ? Check : X} size={18} />}
          onClick={() => void decide()}
          loading={action.isPending}
          data-autofocus
        >
          {does}
        </Button>
      </OrCancel>
    </div>
  )
}
