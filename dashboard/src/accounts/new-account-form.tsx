// Name and password of a new account, and the address where the link does not prove one.

import { Button, TextInput } from '@mantine/core'
import type { PlatformError } from '@petstore-platform/contract/platform/client'
import { useState, type SyntheticEvent } from 'react'
import { useAction } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { faultsFrom, isFaulty, missingIn } from '../ui/field-errors.ts'
import { FormError } from '../ui/form-error.tsx'
import { isUnusable } from './link-secret.ts'
import { EmailField, NewPasswordField } from './recovery-fields.tsx'
import { useFaults } from '../ui/use-field-errors.ts'

const words = texts.account.signUp

type FormProps = {
  /** Of the link that leads to an account. */
  secret: string
  title: string
  help?: string | undefined
  does: string
  /** What the field contains at first; undefined if the link proves the address, and there is no field. */
  email?: string | undefined
  onDone: () => void
  onUnusable: (error: PlatformError) => void
}

export function NewAccountForm({ secret, title, help, does, email: given, onDone, onUnusable }: FormProps) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState(given ?? '')
  const [password, setPassword] = useState('')
  const { form, faults, show } = useFaults<'name' | 'email' | 'password'>()
  const asksForEmail = given !== undefined
  const signUp = useAction('signUp', {
    onDone,
    onRefused: (error) => {
      if (isUnusable(error)) onUnusable(error)
      else if (error.code === 'email_taken' && asksForEmail) show({ email: error.message })
      else show(faultsFrom(error, ['name', 'email', 'password']))
      return true
    },
  })
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const found = asksForEmail ? missingIn({ name, email, password }) : missingIn({ name, password })
    show(found)
    if (isFaulty(found)) return
    const about = asksForEmail ? { email: email.trim() } : {}
    signUp.mutate({ body: { secret, name: name.trim(), password, ...about } })
  }
  return (
    <form ref={form} className="stack" onSubmit={send} aria-label={title} noValidate>
      {help !== undefined && <p className="account-text quiet">{help}</p>}
      <TextInput
        label={words.name}
        description={words.nameHelp}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={faults.name}
        autoComplete="name"
        maxLength={100}
      />
      {asksForEmail && <EmailField value={email} onChange={setEmail} error={faults.email} help={words.emailHelp} />}
      <NewPasswordField
        label={texts.account.password}
        value={password}
        onChange={setPassword}
        error={faults.password}
      />
      <FormError words={faults.form} />
      <Button type="submit" size="lg" loading={signUp.isPending} fullWidth>
        {does}
      </Button>
    </form>
  )
}
