// The display name of the person.

import { Button, TextInput } from '@mantine/core'
import type { Received } from '@petstore-platform/contract/platform/client'
import { useState, type SyntheticEvent } from 'react'
import { useAction } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { Part } from './account-part.tsx'
import { faultsFrom, isFaulty, missingIn } from '../ui/field-errors.ts'
import { FormError } from '../ui/form-error.tsx'
import { useFaults } from '../ui/use-field-errors.ts'

const words = texts.account.name

export function NameSection({ person }: { person: Received<'getAccount'> }) {
  const [name, setName] = useState(person.name)
  const { form, faults, show } = useFaults<'name'>()
  const change = useAction('changeAccount', {
    renews: ['getAccount', 'listAccountEvents'],
    done: words.saved,
    onDone: (saved) => setName(saved.name),
    onRefused: (error) => {
      show(faultsFrom(error, ['name']))
      return true
    },
  })
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const found = missingIn({ name })
    show(found)
    if (!isFaulty(found)) change.mutate({ body: { name: name.trim() } })
  }
  return (
    <Part title={words.title} lead={words.signsIn(person.email)} isForm>
      <form ref={form} className="stack" onSubmit={send} aria-label={words.title} noValidate>
        <div className="account-inline">
          <TextInput
            label={words.label}
            description={words.help}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            error={faults.name}
            autoComplete="name"
            maxLength={100}
          />
          <Button type="submit" loading={change.isPending} disabled={name.trim() === person.name}>
            {texts.common.save}
          </Button>
        </div>
        <FormError message={faults.form} />
      </form>
    </Part>
  )
}
