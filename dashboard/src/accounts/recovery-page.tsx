// A forgotten password: without a link, the page asks for the address to mail one to; opened by a
// mailed link, it asks for the new password. The secret of the link stands behind the #, where no
// server sees it, and is removed from the address at once.

import { Button, TextInput } from '@mantine/core'
import type { PASSWORD_LENGTH_MIN } from '@petstore/contract/platform/accounts'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState, type SyntheticEvent } from 'react'
import { useAction } from '../api.ts'
import { OpenPage } from '../shell/top-bar.tsx'
import { texts } from '../texts/texts.ts'
import { Page } from '../ui/page.tsx'
import './accounts.css'
import { faultsFrom, isFaulty, missingIn } from './field-errors.ts'
import { FormError } from './form-error.tsx'
import { PasswordField } from './password-field.tsx'
import { useFaults } from './use-field-errors.ts'

const words = texts.account.recovery
const LENGTH_MIN: typeof PASSWORD_LENGTH_MIN = 10

type Step = 'address' | 'mailed' | 'password' | 'unusable' | 'done'

export function RecoveryPage() {
  const hash = useLocation({ select: (location) => location.hash })
  const navigate = useNavigate()
  const [secret, setSecret] = useState(hash)
  const [step, setStep] = useState<Step>(hash === '' ? 'address' : 'password')
  const [email, setEmail] = useState('')
  // The link may also be opened in the tab in which it was requested, which does not load the page again.
  useEffect(() => {
    if (hash === '') return
    setSecret(hash)
    setStep('password')
    void navigate({ to: '/recovery', hash: '', replace: true })
  }, [hash, navigate])
  return (
    <OpenPage>
      <Page title={words[step].title} lead={step === 'mailed' ? words.mailed.lead(email) : words[step].lead}>
        <div className="card stack entry">
          {step === 'address' && <AddressForm email={email} onEmail={setEmail} onDone={() => setStep('mailed')} />}
          {step === 'mailed' && (
            <>
              <p className="account-text quiet">{words.mailed.next}</p>
              <Button variant="default" onClick={() => setStep('address')}>
                {words.mailed.again}
              </Button>
            </>
          )}
          {step === 'password' && (
            <NewPasswordForm secret={secret} onDone={() => setStep('done')} onUnusable={() => setStep('unusable')} />
          )}
          {step === 'unusable' && <Button onClick={() => setStep('address')}>{words.unusable.again}</Button>}
          {step === 'done' && (
            <Button renderRoot={(props) => <Link to="/sign-in" {...props} />}>{texts.account.signIn.does}</Button>
          )}
        </div>
        {step !== 'done' && (
          <p className="entry-other">
            <Link to="/sign-in">{words.back}</Link>
          </p>
        )}
      </Page>
    </OpenPage>
  )
}

type AddressFormProps = { email: string; onEmail: (email: string) => void; onDone: () => void }

function AddressForm({ email, onEmail, onDone }: AddressFormProps) {
  const { form, faults, show } = useFaults<'email'>()
  const request = useAction('requestRecovery', {
    onDone,
    onRefused: (error) => {
      show(faultsFrom(error, ['email']))
      return true
    },
  })
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const found = missingIn({ email })
    show(found)
    if (!isFaulty(found)) request.mutate({ body: { email: email.trim() } })
  }
  return (
    <form ref={form} className="stack" onSubmit={send} aria-label={words.address.title} noValidate>
      <TextInput
        label={texts.account.email}
        type="email"
        value={email}
        onChange={({ currentTarget }) => onEmail(currentTarget.value)}
        error={faults.email}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <FormError words={faults.form} />
      <Button type="submit" loading={request.isPending} fullWidth>
        {words.address.does}
      </Button>
    </form>
  )
}

type NewPasswordFormProps = { secret: string; onDone: () => void; onUnusable: () => void }

function NewPasswordForm({ secret, onDone, onUnusable }: NewPasswordFormProps) {
  const [password, setPassword] = useState('')
  const { form, faults, show } = useFaults<'password'>()
  const recover = useAction('recoverAccount', {
    onDone,
    onRefused: (error) => {
      if (error.code === 'not_found' || error.message.startsWith("'secret'")) onUnusable()
      else show(faultsFrom(error, ['password']))
      return true
    },
  })
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const found = missingIn({ password })
    show(found)
    if (!isFaulty(found)) recover.mutate({ body: { secret, password } })
  }
  return (
    <form ref={form} className="stack" onSubmit={send} aria-label={words.password.title} noValidate>
      <PasswordField
        label={texts.account.change.next}
        description={texts.account.signUp.passwordRule(LENGTH_MIN)}
        value={password}
        onChange={setPassword}
        error={faults.password}
        isNew
      />
      <FormError words={faults.form} />
      <Button type="submit" loading={recover.isPending} fullWidth>
        {words.password.does}
      </Button>
    </form>
  )
}
