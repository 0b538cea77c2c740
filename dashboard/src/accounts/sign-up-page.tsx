// Creates an account: the page asks for an address to mail a link to; opened by the link, it asks for name and
// password. Without mail, an invitation or a link of the operator leads here instead.

import { Button, TextInput } from '@mantine/core'
import type { Received } from '@petstore/contract/platform/client'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState, type ReactNode, type SyntheticEvent } from 'react'
import { query, useAction } from '../api.ts'
import { OpenPage } from '../shell/top-bar.tsx'
import { texts } from '../texts/texts.ts'
import { Page } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import './accounts.css'
import { invitationIn, rememberNext, rememberedNext, useEntering } from './after-sign-in.ts'
import { faultsFrom, isFaulty, missingIn } from './field-errors.ts'
import { FormError } from './form-error.tsx'
import { isUnusable, useLinkSecret } from './link-secret.ts'
import { EmailField, NewPasswordField } from './recovery-fields.tsx'
import { useFaults } from './use-field-errors.ts'
import { useStep } from './use-step.ts'

const words = texts.account.signUp

type Step = 'begin' | 'mailed' | 'details' | 'unusable'

export function SignUpPage() {
  const { next } = useSearch({ from: '/sign-up' })
  const secret = useLinkSecret('/sign-up', () => setStep('details'))
  const [step, setStep] = useStep<Step>(secret === '' ? 'begin' : 'details')
  const [email, setEmail] = useState('')
  const invitation = invitationIn(next)
  const how = useQuery({ ...query('getSignUp'), enabled: step === 'begin' })
  const lead = invitation === undefined ? words.lead : words.toAccept
  return (
    <OpenPage>
      {step === 'begin' && (
        <Loaded from={how}>
          {(found) => (
            <EntryPage
              next={next}
              title={words.title}
              lead={wayOf(found, invitation) === 'none' ? words.closed[found.mode] : lead}
            >
              <Begin
                way={wayOf(found, invitation)}
                invitation={invitation}
                next={next}
                email={email}
                onEmail={setEmail}
                onMailed={() => setStep('mailed')}
                onUnusable={() => setStep('unusable')}
              />
            </EntryPage>
          )}
        </Loaded>
      )}
      {step === 'mailed' && (
        <EntryPage next={next} title={words.mailed.title} lead={words.mailed.lead(email)}>
          <div className="card stack entry">
            <p className="account-text quiet">{words.mailed.next}</p>
            <Button variant="default" onClick={() => setStep('begin')}>
              {words.mailed.again}
            </Button>
          </div>
        </EntryPage>
      )}
      {step === 'details' && (
        <EntryPage next={next} title={words.title} lead={words.details}>
          <Details secret={secret} next={next ?? rememberedNext()} onUnusable={() => setStep('unusable')} />
        </EntryPage>
      )}
      {step === 'unusable' && (
        <EntryPage next={next} title={words.unusable.title} lead={words.unusable.lead}>
          <div className="card stack entry">
            <Button onClick={() => setStep('begin')}>{words.unusable.again}</Button>
          </div>
        </EntryPage>
      )}
    </OpenPage>
  )
}

type EntryPageProps = { title: string; lead: string; next: string | undefined; children: ReactNode }

/** A step of the page, with the way for people who have an account. */
const EntryPage = ({ title, lead, next, children }: EntryPageProps) => (
  <Page title={title} lead={lead}>
    {children}
    <p className="entry-other">
      {words.hasAccount}{' '}
      <Link to="/sign-in" search={next === undefined ? {} : { next }}>
        {words.signIn}
      </Link>
    </p>
  </Page>
)

/** How a person who has no link gets an account here. */
type Way = 'mail' | 'invitation' | 'none'

function wayOf({ mode, sendsMail }: Received<'getSignUp'>, invitation: string | undefined): Way {
  if (mode === 'closed' || (mode === 'invited' && invitation === undefined)) return 'none'
  return sendsMail ? 'mail' : 'invitation'
}

type BeginProps = {
  way: Way
  invitation: string | undefined
  next: string | undefined
  email: string
  onEmail: (email: string) => void
  onMailed: () => void
  onUnusable: () => void
}

function Begin({ way, invitation, next, email, onEmail, onMailed, onUnusable }: BeginProps) {
  if (way === 'mail')
    return <AddressForm invitation={invitation} next={next} email={email} onEmail={onEmail} onDone={onMailed} />
  if (way === 'invitation')
    return <Details secret={invitation ?? ''} next={next} onUnusable={onUnusable} asksForEmail />
  return null
}

type AddressFormProps = Pick<BeginProps, 'invitation' | 'next' | 'email' | 'onEmail'> & { onDone: () => void }

function AddressForm({ invitation, next, email, onEmail, onDone }: AddressFormProps) {
  const { form, faults, show } = useFaults<'email'>()
  const request = useAction('requestSignUp', {
    onDone: () => {
      rememberNext(next)
      onDone()
    },
    onRefused: (error) => {
      show(faultsFrom(error, ['email']))
      return true
    },
  })
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const found = missingIn({ email })
    show(found)
    if (isFaulty(found)) return
    request.mutate({ body: { email: email.trim(), ...(invitation !== undefined && { invitation }) } })
  }
  return (
    <form ref={form} className="card stack entry" onSubmit={send} aria-label={words.title} noValidate>
      <EmailField value={email} onChange={onEmail} error={faults.email} />
      <FormError words={faults.form} />
      <Button type="submit" loading={request.isPending} fullWidth>
        {words.mails}
      </Button>
    </form>
  )
}

type DetailsProps = { secret: string; next: string | undefined; onUnusable: () => void; asksForEmail?: true }

function Details({ secret, next, onUnusable, asksForEmail }: DetailsProps) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { form, faults, show } = useFaults<'name' | 'email' | 'password'>()
  const signUp = useAction('signUp', {
    onDone: useEntering(next),
    onRefused: (error) => {
      if (isUnusable(error)) onUnusable()
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
    <form ref={form} className="card stack entry" onSubmit={send} aria-label={words.title} noValidate>
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
      <Button type="submit" loading={signUp.isPending} fullWidth>
        {words.does}
      </Button>
    </form>
  )
}
