// Why a request is declined, and a sentence to the visitor: the only question before it is, since it can be undone. Without
// mail to the visitor there is nothing to write.

import type { DeclineReason, ManagedOrder, OrderDecline } from '@petstore-platform/contract/platform/orders'
import { Button, Radio, Textarea } from '@mantine/core'
import { X } from 'lucide-react'
import { useState, type SyntheticEvent } from 'react'
import * as texts from '../texts/texts.ts'
import { Dialog, type DialogProps } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { useLasting } from '../ui/lasting.ts'
import { useFaults } from '../ui/use-field-errors.ts'
import { OrCancel } from '../ui/with-cancel.tsx'
import { wayOf } from './contact-link.ts'
import { animalOf } from './views.ts'

const { decline: words, notNotified } = texts.orders
const TEXT_LENGTH_MAX = 300
const reasons = Object.keys(words.reasons) as DeclineReason[]

type DeclineProps = Pick<DialogProps, 'onClose' | 'backTo'> & {
  /** Undefined: the dialog is closed. */
  order: ManagedOrder | undefined
  /** Why the sentence was rejected; undefined if it was not. */
  onDecline: (order: ManagedOrder, decline: OrderDecline) => Promise<string | undefined>
}

export function DeclineDialog({ order, onClose, backTo, onDecline }: DeclineProps) {
  const shown = useLasting(order)
  return (
    <Dialog
      isOpen={order !== undefined}
      onClose={onClose}
      backTo={backTo}
      title={shown && words.dialog(shown.visitor.name, animalOf(shown))}
    >
      {shown && <DeclineForm key={String(shown.id)} order={shown} onClose={onClose} onDecline={onDecline} />}
    </Dialog>
  )
}

type FormProps = { order: ManagedOrder } & Pick<DeclineProps, 'onClose' | 'onDecline'>

function DeclineForm({ order, onClose, onDecline }: FormProps) {
  const { visitor, notifiesVisitor } = order
  const [reason, setReason] = useState<DeclineReason>('other')
  const [text, setText] = useState('')
  const [isSending, setSending] = useState(false)
  const { form, faults, show } = useFaults<'text'>()
  const send = async () => {
    setSending(true)
    const fault = await onDecline(order, { reason, text: text.trim() })
    setSending(false)
    show(fault === undefined ? {} : { text: fault })
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    void send()
  }
  return (
    <form ref={form} className="stack" onSubmit={submit} noValidate>
      <Radio.Group
        label={words.reason}
        description={notifiesVisitor ? words.reasonMailed : words.reasonHelp}
        value={reason}
        onChange={(chosen) => setReason(reasons.find((each) => each === chosen) ?? 'other')}
      >
        <div className="stack tight order-reasons">
          {reasons.map((each) => (
            <Radio
              key={each}
              value={each}
              label={words.reasons[each]}
              {...(each === reason && { 'data-autofocus': true })}
            />
          ))}
        </div>
      </Radio.Group>
      {notifiesVisitor ? (
        <Textarea
          label={words.text(visitor.name)}
          description={words.textHelp}
          value={text}
          maxLength={TEXT_LENGTH_MAX}
          rows={3}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          error={faults.text}
        />
      ) : (
        <p className="plain quiet small">{notNotified[wayOf(visitor.contact)](visitor.name)}</p>
      )}
      <OrCancel onCancel={onClose}>
        <Button type="submit" leftSection={<Icon of={X} size={18} />} data-tone="danger" loading={isSending}>
          {words.action}
        </Button>
      </OrCancel>
    </form>
  )
}
