// Another key: what it is for, what it may do, and until when. It begins with as little
// as is of use; more is a choice.

import type { Scope } from '@petstore-platform/contract/operations'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { useState, type SyntheticEvent } from 'react'
import { isRefused, useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { LabelField } from '../ui/label-field.tsx'
import { namedField } from '../ui/named-field.ts'
import { OrCancel } from '../ui/with-cancel.tsx'
import { endOfDay } from './last-day.ts'
import { Refused } from './refused.tsx'
import { scopeList, scopeViews, type FreshKey } from './views.ts'

const words = texts.keys

type Fields = 'label' | 'scopes' | 'expiresAt' | 'form'
type Faults = Partial<Record<Fields, string>>

export function NewKey({ onMade, onClose }: { onMade: (key: FreshKey) => void; onClose: () => void }) {
  const { slug } = useProject()
  const [label, setLabel] = useState('')
  const [scopes, setScopes] = useState<string[]>(['pets:read'])
  const [lastDay, setLastDay] = useState('')
  const [faults, setFaults] = useState<Faults>({})
  const make = useAction('createKey', {
    renews: ['listKeys', 'getProject'],
    onDone: onMade,
    onRefused: ({ message }) => {
      setFaults(faultIn(message))
      return true
    },
  })
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const found: Faults = {
      ...(label.trim() === '' && { label: words.labelNeeded }),
      ...(scopes.length === 0 && { scopes: words.scopesNeeded }),
    }
    setFaults(found)
    if (Object.keys(found).length > 0) return
    const body = { label: label.trim(), scopes: scopeList.filter((scope) => scopes.includes(scope)) }
    make.mutate({ project: slug, body: { ...body, expiresAt: endOfDay(lastDay) } })
  }
  return (
    <form className="card stack" onSubmit={send} aria-label={words.make} noValidate>
      <h2>{words.make}</h2>
      <div className="stack key-form">
        <LabelField words={words} value={label} onChange={setLabel} error={faults.label} />
        <Checkbox.Group label={words.scopes} value={scopes} onChange={setScopes} error={faults.scopes}>
          <div className="stack key-scopes">
            {scopeList.map((scope) => (
              <ScopeChoice key={scope} scope={scope} />
            ))}
          </div>
        </Checkbox.Group>
        <TextInput
          type="date"
          label={words.end}
          description={words.endHelp}
          value={lastDay}
          onChange={({ currentTarget }) => setLastDay(currentTarget.value)}
          error={faults.expiresAt}
        />
        <Refused message={faults.form} isOfPlan={isRefused(make.error, 'plan_required')} />
      </div>
      <OrCancel onCancel={onClose}>
        <Button type="submit" loading={make.isPending}>
          {words.action}
        </Button>
      </OrCancel>
    </form>
  )
}

const ScopeChoice = ({ scope }: { scope: Scope }) => (
  <Checkbox value={scope} label={scopeViews[scope].label} description={scopeViews[scope].help} />
)

/** Next to the field that the server names, or below them all. */
function faultIn(message: string): Faults {
  const { field, rest = '' } = namedField(message) ?? {}
  if (field === 'expiresAt') return { expiresAt: words.endPast }
  return field === 'label' || field === 'scopes' ? { [field]: words.fault(rest) } : { form: message }
}
