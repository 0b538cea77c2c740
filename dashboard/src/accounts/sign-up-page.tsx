// Creates an account. The rules for a password are shown before it is typed.

import { Button, TextInput } from '@mantine/core'
import type { PASSWORD_LENGTH_MIN } from '@petstore/contract/platform/accounts'
import { Link, useSearch } from '@tanstack/react-router'
import { useState, type SyntheticEvent } from 'react'
import { useAction } from '../api.ts'
import { OpenPage } from '../shell/top-bar.tsx'
import { texts } from '../texts/texts.ts'
import { Page } from '../ui/page.tsx'
import './accounts.css'
import { isInvitation, useEntering } from './after-sign-in.ts'
import { PasswordField } from './password-field.tsx'
import { faultsFrom, isFaulty, missingIn } from './field-errors.ts'
import { FormError } from './form-error.tsx'
import { useFaults } from './use-field-errors.ts'

const words = texts.account
const LENGTH_MIN: typeof PASSWORD_LENGTH_MIN = 10
const fields = ['name', 'email', 'password'] as const
type Field = (typeof fields)[number]

export function SignUpPage() {
  const { next } = useSearch({ from: '/sign-up' })
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { form, faults, show } = useFaults<Field>()
  const signUp = useAction('signUp', {
    onDone: useEntering(next),
    onRefused: (error) => {
      show(error.code === 'email_taken' ? { email: error.message } : faultsFrom(error, fields))
      return true
    },
  })

  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const found = missingIn({ name, email, password })
    show(found)
    if (!isFaulty(found)) signUp.mutate({ body: { name: name.trim(), email: email.trim(), password } })
  }
  return (
    <OpenPage>
      <Page title={words.signUp.title} lead={isInvitation(next) ? words.signUp.toAccept : words.signUp.lead}>
        <form ref={form} className="card stack entry" onSubmit={send} aria-label={words.signUp.title} noValidate>
          <TextInput
            label={words.signUp.name}
            description={words.signUp.nameHelp}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            error={faults.name}
            autoComplete="name"
            maxLength={100}
          />
          <TextInput
            label={words.email}
            description={words.signUp.emailHelp}
            type="email"
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
            error={faults.email}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
          <PasswordField
            label={words.password}
            description={words.signUp.passwordRule(LENGTH_MIN)}
            value={password}
            onChange={setPassword}
            error={faults.password}
            isNew
          />
          <FormError words={faults.form} />
          <Button type="submit" loading={signUp.isPending} fullWidth>
            {words.signUp.does}
          </Button>
        </form>
        <p className="entry-other">
          {words.signUp.hasAccount}{' '}
          <Link to="/sign-in" search={next === undefined ? {} : { next }}>
            {words.signUp.signIn}
          </Link>
        </p>
      </Page>
    </OpenPage>
  )
}
