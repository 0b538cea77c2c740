// Creates an account: the page asks for an address to mail a link to; opened by the link, it asks for name and
// password. Without mail, a link of the operator leads here instead.

import { Button } from '@mantine/core'
import type { Received } from '@petstore-platform/contract/platform/client'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState, type ReactNode, type SyntheticEvent } from 'react'
import { query, useAction } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { Page } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { useEntering } from './after-sign-in.ts'
import { faultsFrom, isFaulty, missingIn } from '../ui/field-errors.ts'
import { FormError } from '../ui/form-error.tsx'
import { useLinkSecret } from './link-secret.ts'
import { NewAccountForm } from './new-account-form.tsx'
import { EmailField } from './recovery-fields.tsx'
import { SendAgain } from './send-again.tsx'
import { useFaults } from '../ui/use-field-errors.ts'
import { useStep } from '../ui/use-step.ts'
import { WelcomeFrame } from './welcome-frame.tsx'

const words = texts.account.signUp

type Step = 'begin' | 'mailed' | 'details' | 'unusable'

export function SignUpPage() {
  const { next } = useSearch({ from: '/sign-up' })
  const secret = useLinkSecret('/sign-up', () => setStep('details'))
  const [step, setStep] = useStep<Step>(secret === '' ? 'begin' : 'details')
  const [email, setEmail] = useState('')
  const enter = useEntering(next)
  const how = useQuery({ ...query('getSignUp'), enabled: step === 'begin' })
  // Then only an invited address gets a mail, and the page must not say which one that is.
  const isInvited = how.data?.mode === 'invited'
  return (
    <WelcomeFrame>
      {step === 'begin' && (
        <Loaded from={how}>
          {(found) => (
            <EntryPage next={next} title={words.title} lead={leadOf(found)}>
              {isMailing(found) && <AddressForm email={email} onEmail={setEmail} onDone={() => setStep('mailed')} />}
            </EntryPage>
          )}
        </Loaded>
      )}
      {step === 'mailed' && (
        <EntryPage
          next={next}
          title={words.mailed.title}
          lead={isInvited ? words.mailed.invitedLead(email) : words.mailed.lead(email)}
        >
          <div className="stack">
            <p className="account-text quiet">{words.mailed.next}</p>
            <SendAgain
              operation="requestSignUp"
              email={email.trim()}
              sent={isInvited ? words.mailed.invitedSent : words.mailed.sent}
            />
            <Button variant="default" onClick={() => setStep('begin')}>
              {words.mailed.again}
            </Button>
          </div>
        </EntryPage>
      )}
      {step === 'details' && (
        <EntryPage next={next} title={words.title} lead={words.details}>
          <NewAccountForm
            secret={secret}
            title={words.title}
            action={words.action}
            onDone={enter}
            onUnusable={() => setStep('unusable')}
          />
        </EntryPage>
      )}
      {step === 'unusable' && (
        <EntryPage next={next} title={words.unusable.title} lead={words.unusable.lead}>
          <div className="stack">
            <Button onClick={() => setStep('begin')}>{words.unusable.again}</Button>
          </div>
        </EntryPage>
      )}
    </WelcomeFrame>
  )
}

type EntryPageProps = { title: string; lead: string; next: string | undefined; children: ReactNode }

/** A step of the page, with the way for people who have an account. */
const EntryPage = ({ title, lead, next, children }: EntryPageProps) => (
  <Page title={title} lead={lead}>
    {children}
    <p className="plain quiet small">
      {words.hasAccount}{' '}
      <Link to="/sign-in" search={next === undefined ? {} : { next }}>
        {words.signIn}
      </Link>
    </p>
  </Page>
)

/** Whether an address can be entered; if accounts are by invitation, only invited ones get a mail. */
const isMailing = ({ mode, sendsMail }: Received<'getSignUp'>) => sendsMail && mode !== 'closed'

function leadOf(found: Received<'getSignUp'>): string {
  if (!isMailing(found)) return words.closed[found.mode]
  return found.mode === 'invited' ? words.invitedLead : words.lead
}

type AddressFormProps = { email: string; onEmail: (email: string) => void; onDone: () => void }

function AddressForm({ email, onEmail, onDone }: AddressFormProps) {
  const { form, faults, show } = useFaults<'email'>()
  const request = useAction('requestSignUp', {
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
    <form ref={form} className="stack" onSubmit={send} aria-label={words.title} noValidate>
      <EmailField value={email} onChange={onEmail} error={faults.email} />
      <FormError message={faults.form} />
      <Button type="submit" size="lg" loading={request.isPending} fullWidth>
        {words.mails}
      </Button>
    </form>
  )
}
