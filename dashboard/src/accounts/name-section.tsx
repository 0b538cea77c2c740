// The display name of the person.

import { Button, TextInput } from '@mantine/core'
import type { Received } from '@petstore/contract/platform/client'
import { useState, type SyntheticEvent } from 'react'
import { useAction } from '../api.ts'
import { texts } from '../texts/texts.ts'
import { Section } from '../ui/page.tsx'
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
    <Section title={words.title}>
      <p className="account-text quiet">{words.signsIn(person.email)}</p>
      <form ref={form} className="stack account-form" onSubmit={send} aria-label={words.title} noValidate>
        <TextInput
          label={words.label}
          description={words.help}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={faults.name}
          autoComplete="name"
          maxLength={100}
        />
        <FormError words={faults.form} />
        <div>
          <Button type="submit" loading={change.isPending} disabled={name.trim() === person.name}>
            {texts.common.save}
          </Button>
        </div>
      </form>
    </Section>
  )
}
