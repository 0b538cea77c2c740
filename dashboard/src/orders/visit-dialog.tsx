// Date, time and place of a visit, in the time zone of the device.

import type { ManagedOrder } from '@petstore-platform/contract/platform/orders'
import { Button, TextInput } from '@mantine/core'
import { CalendarDays } from 'lucide-react'
import { useState, type SyntheticEvent } from 'react'
import * as texts from '../texts/texts.ts'
import { Dialog, type DialogProps } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { useLasting } from '../ui/lasting.ts'
import { useFaults } from '../ui/use-field-errors.ts'
import { OrCancel } from '../ui/with-cancel.tsx'
import { localInput, timeOfInput } from './local-time.ts'
import { animalOf } from './views.ts'

const { visit: words } = texts.orders
const PLACE_LENGTH_MAX = 200

export type VisitInput = { at: string; place: string }

type VisitProps = Pick<DialogProps, 'onClose' | 'backTo'> & {
  /** Undefined: the dialog is closed. */
  order: ManagedOrder | undefined
  onArrange: (order: ManagedOrder, visit: VisitInput) => void
}

export function VisitDialog({ order, onClose, backTo, onArrange }: VisitProps) {
  const shown = useLasting(order)
  return (
    <Dialog
      isOpen={order !== undefined}
      onClose={onClose}
      backTo={backTo}
      title={shown && words.dialog(shown.visitor.name, animalOf(shown))}
    >
      {shown && <VisitForm key={String(shown.id)} order={shown} onClose={onClose} onArrange={onArrange} />}
    </Dialog>
  )
}

function VisitForm({ order, onClose, onArrange }: { order: ManagedOrder } & Pick<VisitProps, 'onClose' | 'onArrange'>) {
  const [at, setAt] = useState(order.visit === null ? '' : localInput(new Date(order.visit.at)))
  const [place, setPlace] = useState(order.visit?.place ?? '')
  const { form, faults, show } = useFaults<'at'>()
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const time = timeOfInput(at)
    if (time === undefined) return show({ at: words.needsTime })
    onArrange(order, { at: time, place: place.trim() })
  }
  return (
    <form ref={form} className="stack" onSubmit={send} noValidate>
      <TextInput
        type="datetime-local"
        label={words.at}
        description={words.atHelp}
        value={at}
        onChange={({ currentTarget }) => setAt(currentTarget.value)}
        error={faults.at}
        data-autofocus
      />
      <TextInput
        label={words.place}
        description={words.placeHelp}
        value={place}
        maxLength={PLACE_LENGTH_MAX}
        onChange={({ currentTarget }) => setPlace(currentTarget.value)}
        autoComplete="off"
      />
      <OrCancel onCancel={onClose}>
        <Button type="submit" leftSection={<Icon of={CalendarDays} size={18} />}>
          {order.visit === null ? words.does : words.changes}
        </Button>
      </OrCancel>
    </form>
  )
}
