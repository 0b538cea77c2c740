// For how many days an animal is held for a visitor. Proposed is what the settings of the project say.

import type { ManagedOrder } from '@petstore-platform/contract/platform/orders'
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Hourglass } from 'lucide-react'
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
import { daysOf } from './days.ts'
import { animalOf } from './views.ts'

const { hold: words } = texts.orders

type HoldProps = Pick<DialogProps, 'onClose' | 'backTo'> & {
  /** Undefined: the dialog is closed. */
  order: ManagedOrder | undefined
  onHold: (order: ManagedOrder, days: number) => void
}

export function HoldDialog({ order, onClose, backTo, onHold }: HoldProps) {
  const { slug } = useProject()
  const shown = useLasting(order)
  const settings = useQuery({ ...query('getRequestSettings', { project: slug }), enabled: shown !== undefined })
  return (
    <Dialog
      isOpen={order !== undefined}
      onClose={onClose}
      backTo={backTo}
      title={shown && words.dialog(animalOf(shown), shown.visitor.name)}
    >
      {shown && (
        <Loaded from={settings}>
          {({ holdDays }) => <HoldForm order={shown} usual={holdDays} onClose={onClose} onHold={onHold} />}
        </Loaded>
      )}
    </Dialog>
  )
}

type FormProps = { order: ManagedOrder; usual: number } & Pick<HoldProps, 'onClose' | 'onHold'>

function HoldForm({ order, usual, onClose, onHold }: FormProps) {
  const [days, setDays] = useState(String(usual))
  const { form, faults, show } = useFaults<'days'>()
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const count = daysOf(days)
    if (count === undefined) return show({ days: words.needsDays })
    onHold(order, count)
  }
  return (
    <form ref={form} className="stack" onSubmit={send} noValidate>
      <p className="plain">{words.text(animalOf(order))}</p>
      <TextInput
        label={words.days}
        description={words.daysHelp}
        value={days}
        inputMode="numeric"
        onChange={({ currentTarget }) => setDays(currentTarget.value)}
        error={faults.days}
        data-autofocus
      />
      <OrCancel onCancel={onClose}>
        <Button type="submit" leftSection={<Icon of={Hourglass} size={18} />}>
          {words.action(animalOf(order))}
        </Button>
      </OrCancel>
    </form>
  )
}
