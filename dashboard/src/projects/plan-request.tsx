// Asking for another plan: the state of the latest request, and the question with a message to
// the operator.

import { Button, Textarea } from '@mantine/core'
import type { Received } from '@petstore-platform/contract/platform/client'
import type { PlanName } from '@petstore-platform/contract/platform/projects'
import { useState } from 'react'
import { wordsFor } from '../ui/field-errors.ts'
import { FormError } from '../ui/form-error.tsx'
import { useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Dialog, type DialogProps } from '../ui/dialog.tsx'
import { Section } from '../ui/page.tsx'
import { useLasting } from '../ui/lasting.ts'
import { dateWords } from '../ui/time.tsx'
import { OrCancel } from '../ui/with-cancel.tsx'
import { planViews } from './views.ts'

const { plan: words } = texts.projects
const MESSAGE_LENGTH_MAX = 1000

type Requests = Received<'getPlanRequest'>

type AnotherPlanProps = { requests: Requests | undefined; isOwner: boolean }

/** How the project gets another plan; `requests` are loaded for owners alone. */
export const AnotherPlan = ({ requests, isOwner }: AnotherPlanProps) => (
  <Section title={words.other}>
    <div role="status" className="said">
      {requests?.latest && <Answer latest={requests.latest} />}
    </div>
    {!isOwner && <p className="plain">{words.ownersAsk}</p>}
    {requests && requests.latest?.answer !== null && (
      <p className="plain">{requests.canAsk ? words.how : words.cannotAsk}</p>
    )}
    <p className="quiet small plain">
      {words.watching} {words.kept}
    </p>
  </Section>
)

function Answer({ latest }: { latest: NonNullable<Requests['latest']> }) {
  const { label } = planViews[latest.plan]
  if (latest.answer === null)
    return <p className="note plain">{words.requests.open(label, dateWords(latest.requestedAt))}</p>
  const answeredOn = dateWords(latest.answeredAt ?? latest.requestedAt)
  if (latest.answer === 'granted') return <p className="note good plain">{words.requests.granted(label, answeredOn)}</p>
  return (
    <p className="note warn plain">
      {words.requests.declined(label, answeredOn)} {latest.reason}
    </p>
  )
}

/** `plan`: undefined while the dialog is closed. */
export function AskDialog({ plan, onClose }: Pick<DialogProps, 'onClose'> & { plan: PlanName | undefined }) {
  const shown = useLasting(plan)
  return (
    <Dialog
      title={shown === undefined ? '' : words.askTitle(planViews[shown].label)}
      isOpen={plan !== undefined}
      onClose={onClose}
    >
      {shown !== undefined && <Question plan={shown} onClose={onClose} />}
    </Dialog>
  )
}

function Question({ plan, onClose }: { plan: PlanName; onClose: () => void }) {
  const { slug } = useProject()
  const [message, setMessage] = useState('')
  const [fault, setFault] = useState<string>()
  const ask = useAction('requestPlan', {
    renews: ['getPlanRequest'],
    done: words.sent,
    onDone: onClose,
    onRefused: (error) => {
      setFault(wordsFor(error))
      return true
    },
  })
  const send = () => ask.mutate({ project: slug, body: { plan, message: message.trim() } })
  return (
    <div className="stack">
      <p className="plain">{words.askText}</p>
      <Textarea
        label={words.message}
        description={words.messageHelp}
        rows={4}
        maxLength={MESSAGE_LENGTH_MAX}
        value={message}
        data-autofocus
        onChange={({ currentTarget }) => setMessage(currentTarget.value)}
      />
      <FormError message={fault} />
      <OrCancel onCancel={onClose}>
        <Button onClick={send} loading={ask.isPending}>
          {words.send}
        </Button>
      </OrCancel>
    </div>
  )
}
