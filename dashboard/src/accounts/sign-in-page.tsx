// Signing in: with a passkey, or with an e-mail address and a password. The passkey comes first where the browser has
// them, and the password where it has not.

import { Button, TextInput } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { FingerprintPattern } from 'lucide-react'
import { useState, type SyntheticEvent } from 'react'
import { useAction } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { faultsFrom, isFaulty, missingIn } from '../ui/field-errors.ts'
import { FormError } from '../ui/form-error.tsx'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { useFaults } from '../ui/use-field-errors.ts'
import { useEntering } from './after-sign-in.ts'
import { INVITATION_PATH } from './invitation-secret.ts'
import { hasPasskeys } from './passkey.ts'
import { PasswordField } from './password-field.tsx'
import { SignInLinkOffer } from './sign-in-link-offer.tsx'
import { useTypedEmail } from './typed-email.ts'
import { usePasskeySignIn } from './use-passkey-sign-in.ts'
import { WelcomeFrame } from './welcome-frame.tsx'

const words = texts.account
const fields = ['email', 'password'] as const
type Field = (typeof fields)[number]

export function SignInPage() {
  const { next } = useSearch({ from: '/sign-in' })
  const enter = useEntering(next)
  return (
    <WelcomeFrame>
      <Page title={words.signIn.title} lead={leadFor(next)}>
        <div className="stack">
          <PasskeySignIn onEntered={enter} />
          <PasswordSignIn onEntered={enter} />
          <p className="plain quiet small">
            {words.signIn.noAccount}{' '}
            <Link to="/sign-up" search={next === undefined ? {} : { next }}>
              {words.signIn.signUp}
            </Link>
          </p>
        </div>
      </Page>
    </WelcomeFrame>
  )
}

/** Also without its button, since a failure of a passkey that the browser offered is shown here. */
function PasskeySignIn({ onEntered }: { onEntered: () => void }) {
  const [fault, setFault] = useState<string>()
  const passkey = usePasskeySignIn(onEntered, setFault)
  const choose = () => {
    setFault(undefined)
    passkey.choose()
  }
  return (
    <>
      {hasPasskeys() && (
        <Button
          size="lg"
          onClick={choose}
          loading={passkey.isAsking}
          leftSection={<Icon of={FingerprintPattern} />}
          fullWidth
        >
          {words.signIn.withPasskey}
        </Button>
      )}
      <FormError message={fault} />
      {hasPasskeys() && <div className="entry-or quiet small">{words.signIn.or}</div>}
    </>
  )
}

function PasswordSignIn({ onEntered }: { onEntered: () => void }) {
  const [email, setEmail] = useState(useTypedEmail())
  const [password, setPassword] = useState('')
  const { form, faults, show } = useFaults<Field>()
  const [isLinkOffered, setLinkOffered] = useState(false)
  const signIn = useAction('signIn', {
    onDone: onEntered,
    onRefused: (error) => {
      const { code } = error
      setLinkOffered(code === 'password_not_accepted' || code === 'rate_limited')
      const said = refusedWords[code]
      show(said === undefined ? faultsFrom(error, fields) : { form: said })
      return true
    },
  })
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const found = missingIn({ email, password })
    show(found)
    if (!isFaulty(found)) signIn.mutate({ body: { email: email.trim(), password } })
  }
  return (
    <form ref={form} className="stack" onSubmit={send} aria-label={words.signIn.action} noValidate>
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
      {/* The link stands in the line of the label, and comes after the field: Tab leads from field to field. */}
      <div className="entry-password">
        <PasswordField label={words.password} value={password} onChange={setPassword} error={faults.password} />
        <Link to="/recovery" state={{ email }} className="small">
          {words.signIn.forgotten}
        </Link>
      </div>
      <FormError message={faults.form} />
      <Button
        type="submit"
        size="lg"
        loading={signIn.isPending}
        fullWidth
        {...(hasPasskeys() && { variant: 'default' })}
      >
        {words.signIn.action}
      </Button>
      {isLinkOffered && <SignInLinkOffer email={email.trim()} />}
    </form>
  )
}

const refusedWords: Readonly<Record<string, string | undefined>> = {
  wrong_credentials: words.signIn.wrong,
  password_not_accepted: words.signIn.notAccepted,
}

function leadFor(next: string | undefined): string {
  if (next === undefined) return words.signIn.lead
  return next === INVITATION_PATH ? words.signIn.toAccept : words.signIn.toGoOn
}
