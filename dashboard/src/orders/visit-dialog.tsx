// Date, time and place of a visit, in the time zone of the device. Proposed as place is the address of the store.

import type { ManagedOrder } from '@petstore-platform/contract/platform/orders'
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CalendarDays } from 'lucide-react'
import { useState, type SyntheticEvent } from 'react'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Dialog, type DialogProps } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { useLasting } from '../ui/lasting.ts'
import { Loaded } from '../ui/states.tsx'
import { useFaults } from '../ui/use-field-errors.ts'
import { OrCancel } from '../ui/with-cancel.tsx'
import { isPast, localInput, timeOfInput } from './local-time.ts'
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
  const { slug } = useProject()
  const shown = useLasting(order)
  const site = useQuery({ ...query('getSite', { project: slug }), enabled: shown !== undefined })
  return (
    <Dialog
      isOpen={order !== undefined}
      onClose={onClose}
      backTo={backTo}
      title={shown && words.dialog(shown.visitor.name, animalOf(shown))}
    >
      {shown && (
        <Loaded from={site}>
          {({ contact: { address } }) => (
            <VisitForm
              key={String(shown.id)}
              order={shown}
              usual={placeOf(address)}
              onClose={onClose}
              onArrange={onArrange}
            />
          )}
        </Loaded>
      )}
    </Dialog>
  )
}

/** An address may be longer than a place. */
const placeOf = (address: string) => Array.from(address).slice(0, PLACE_LENGTH_MAX).join('')

type FormProps = { order: ManagedOrder; usual: string } & Pick<VisitProps, 'onClose' | 'onArrange'>

function VisitForm({ order, usual, onClose, onArrange }: FormProps) {
  const [at, setAt] = useState(order.visit === null ? '' : localInput(new Date(order.visit.at)))
  const [place, setPlace] = useState(order.visit?.place ?? usual)
  const { form, faults, show } = useFaults<'at'>()
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const time = timeOfInput(at)
    if (time === undefined) return show({ at: words.needsTime })
    if (isPast(time, Date.now())) return show({ at: words.isPast })
    onArrange(order, { at: time, place: place.trim() })
  }
  return (
    <form ref={form} className="stack" onSubmit={send} noValidate>
      <TextInput
        type="datetime-local"
        label={words.at}
        description={words.atHelp}
        value={at}
        min={localInput(new Date())}
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
          {order.visit === null ? words.action : words.changes}
        </Button>
      </OrCancel>
    </form>
  )
}
