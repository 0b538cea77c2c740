// Changes the password. It ends every other session and all access tokens, which is stated before and after.

import { Button } from '@mantine/core'
import { useState, type SyntheticEvent } from 'react'
import { useAction } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { Part } from './account-part.tsx'
import { PasswordField } from './password-field.tsx'
import { NewPasswordField } from './recovery-fields.tsx'
import { faultsFrom, isFaulty, missingIn } from '../ui/field-errors.ts'
import { FormError } from '../ui/form-error.tsx'
import { useFaults } from '../ui/use-field-errors.ts'

const words = texts.account.change
const fields = ['current', 'next'] as const

export function PasswordSection({ email }: { email: string }) {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const { form, faults, show } = useFaults<(typeof fields)[number]>()
  const change = useAction('changePassword', {
    renews: ['listSessions', 'listAccessTokens', 'listAccountEvents'],
    done: words.done,
    onDone: () => {
      setCurrent('')
      setNext('')
    },
    onRefused: (error) => {
      show(faultsFrom(error, fields))
      return true
    },
  })
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const found = missingIn({ current, next })
    show(found)
    if (!isFaulty(found)) change.mutate({ body: { current, next } })
  }
  return (
    <Part title={words.title} lead={words.lead} isForm>
      <form ref={form} className="stack" onSubmit={send} aria-label={words.title} noValidate>
        {/* For password managers: the account. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordField label={words.current} value={current} onChange={setCurrent} error={faults.current} />
        <NewPasswordField value={next} onChange={setNext} error={faults.next} />
        <FormError message={faults.form} />
        <div>
          <Button type="submit" variant="default" loading={change.isPending}>
            {words.action}
          </Button>
        </div>
      </form>
    </Part>
  )
}
