// Signing in, with an e-mail address and a password or with a passkey.

import { Button, TextInput } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { useState, type SyntheticEvent } from 'react'
import { useAction } from '../api.ts'
import { OpenPage } from '../shell/top-bar.tsx'
import { texts } from '../texts/texts.ts'
import { Page } from '../ui/page.tsx'
import './accounts.css'
import { useEntering } from './after-sign-in.ts'
import { INVITATION_PATH } from './invitation-secret.ts'
import { hasPasskeys } from './passkey.ts'
import { PasswordField } from './password-field.tsx'
import { faultsFrom, isFaulty, missingIn } from '../ui/field-errors.ts'
import { FormError } from '../ui/form-error.tsx'
import { useFaults } from '../ui/use-field-errors.ts'
import { usePasskeySignIn } from './use-passkey-sign-in.ts'

const words = texts.account
const fields = ['email', 'password'] as const
type Field = (typeof fields)[number]

export function SignInPage() {
  const { next } = useSearch({ from: '/sign-in' })
  const enter = useEntering(next)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { form, faults, show } = useFaults<Field>()
  const signIn = useAction('signIn', {
    onDone: enter,
    onRefused: (error) => {
      show(error.code === 'wrong_credentials' ? { form: words.signIn.wrong } : faultsFrom(error, fields))
      return true
    },
  })
  const passkey = usePasskeySignIn(enter, (said) => show({ form: said }))

  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const found = missingIn({ email, password })
    show(found)
    if (!isFaulty(found)) signIn.mutate({ body: { email: email.trim(), password } })
  }
  return (
    <OpenPage>
      <Page title={words.signIn.title} lead={leadFor(next)}>
        <div className="card stack entry">
          <form ref={form} className="stack" onSubmit={send} aria-label={words.signIn.title} noValidate>
            <TextInput
              label={words.email}
              type="email"
              value={email}
              onChange={({ currentTarget }) => setEmail(currentTarget.value)}
              error={faults.email}
              // The last word lets the browser offer passkeys here.
              autoComplete="username webauthn"
              autoCapitalize="none"
              spellCheck={false}
            />
            <PasswordField label={words.password} value={password} onChange={setPassword} error={faults.password} />
            <FormError words={faults.form} />
            <Button type="submit" loading={signIn.isPending} fullWidth>
              {words.signIn.does}
            </Button>
          </form>
          {hasPasskeys() && (
            <>
              <div className="entry-or quiet small">{words.signIn.or}</div>
              <Button variant="default" onClick={passkey.choose} loading={passkey.isAsking} fullWidth>
                {words.signIn.withPasskey}
              </Button>
            </>
          )}
        </div>
        <p className="entry-other">
          <Link to="/recovery">{words.signIn.forgotten}</Link>
        </p>
        <p className="entry-other">
          {words.signIn.noAccount}{' '}
          <Link to="/sign-up" search={next === undefined ? {} : { next }}>
            {words.signIn.signUp}
          </Link>
        </p>
      </Page>
    </OpenPage>
  )
}

const leadFor = (next: string | undefined) =>
  next === undefined ? undefined : next === INVITATION_PATH ? words.signIn.toAccept : words.signIn.toGoOn
