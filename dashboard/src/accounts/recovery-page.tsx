// A forgotten password: without a link, the page asks for the address to mail one to, or for a
// recovery code; opened by a mailed link, it asks for the new password.

import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CircleCheck, KeyRound, LifeBuoy, Mail, Unlink, type LucideIcon } from 'lucide-react'
import { useState, type SyntheticEvent } from 'react'
import { useAction } from '../api.ts'
import { OpenPage } from '../shell/top-bar.tsx'
import * as texts from '../texts/texts.ts'
import { Glyph } from '../ui/glyph.tsx'
import { Page } from '../ui/page.tsx'
import './accounts.css'
import { faultsFrom, isFaulty, missingIn } from '../ui/field-errors.ts'
import { FormError } from '../ui/form-error.tsx'
import { isUnusable, useLinkSecret } from './link-secret.ts'
import { EmailField, NewPasswordField } from './recovery-fields.tsx'
import { RecoveryCodeForm } from './recovery-code-form.tsx'
import { SendAgain } from './send-again.tsx'
import { useTypedEmail } from './typed-email.ts'
import { useFaults } from '../ui/use-field-errors.ts'
import { useStep } from '../ui/use-step.ts'

const words = texts.account.recovery

type Step = 'address' | 'mailed' | 'code' | 'password' | 'unusable' | 'done'

const icons: Readonly<Record<Step, LucideIcon>> = {
  address: KeyRound,
  mailed: Mail,
  code: LifeBuoy,
  password: KeyRound,
  unusable: Unlink,
  done: CircleCheck,
}

export function RecoveryPage() {
  const secret = useLinkSecret('/recovery', () => setStep('password'))
  const [step, setStep] = useStep<Step>(secret === '' ? 'address' : 'password')
  const [email, setEmail] = useState(useTypedEmail())
  return (
    <OpenPage>
      <Page
        back={<Glyph of={icons[step]} tone={step === 'unusable' ? 'warn' : 'good'} />}
        title={words[step].title}
        lead={step === 'mailed' ? words.mailed.lead(email) : words[step].lead}
      >
        <div className="card stack entry">
          {step === 'address' && <AddressForm email={email} onEmail={setEmail} onDone={() => setStep('mailed')} />}
          {step === 'code' && <RecoveryCodeForm email={email} onEmail={setEmail} onDone={() => setStep('done')} />}
          {step === 'mailed' && (
            <>
              <p className="account-text quiet">{words.mailed.next}</p>
              <SendAgain
                operation="requestRecovery"
                email={email.trim()}
                sent={words.mailed.sent}
                held={words.mailed.held}
              />
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
            <Button renderRoot={(props) => <Link to="/sign-in" state={{ email }} {...props} />}>
              {texts.account.signIn.action}
            </Button>
          )}
        </div>
        {(step === 'address' || step === 'mailed' || step === 'unusable') && (
          <Button variant="subtle" onClick={() => setStep('code')}>
            {words.withCode}
          </Button>
        )}
        {step === 'code' && (
          <Button variant="subtle" onClick={() => setStep('address')}>
            {words.code.withLink}
          </Button>
        )}
        {step !== 'done' && (
          <p className="entry-other">
            <Link to="/sign-in" state={{ email }}>
              {words.back}
            </Link>
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
      <EmailField value={email} onChange={onEmail} error={faults.email} />
      <FormError message={faults.form} />
      <Button type="submit" loading={request.isPending} fullWidth>
        {words.address.action}
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
      if (isUnusable(error)) onUnusable()
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
      <NewPasswordField value={password} onChange={setPassword} error={faults.password} />
      <FormError message={faults.form} />
      <Button type="submit" loading={recover.isPending} fullWidth>
        {words.password.action}
      </Button>
    </form>
  )
}
