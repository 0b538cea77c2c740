// Name of a new account, its passkey or its password, and the address where the link does not prove one. The passkey
// comes first where the browser has them.

import { Button, TextInput } from '@mantine/core'
import type { PlatformError } from '@petstore-platform/contract/platform/client'
import { FingerprintPattern } from 'lucide-react'
import { useState, type SyntheticEvent } from 'react'
import { useAction } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { faultsFrom, isFaulty, missingIn } from '../ui/field-errors.ts'
import { FormError } from '../ui/form-error.tsx'
import { Icon } from '../ui/icon.tsx'
import { isUnusable } from './link-secret.ts'
import { canMakePasskey } from './passkey.ts'
import { EmailField, NewPasswordField } from './recovery-fields.tsx'
import { useFaults } from '../ui/use-field-errors.ts'
import { usePasskeySignUp } from './use-passkey-sign-up.ts'

const words = texts.account.signUp

type FormProps = {
  /** Of the link that leads to an account. */
  secret: string
  title: string
  help?: string | undefined
  action: string
  /** What the field contains at first; undefined if the link proves the address, and there is no field. */
  email?: string | undefined
  onDone: () => void
  onUnusable: (error: PlatformError) => void
}

export function NewAccountForm({ secret, title, help, action, email: given, onDone, onUnusable }: FormProps) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState(given ?? '')
  const [password, setPassword] = useState('')
  const { form, faults, show } = useFaults<'name' | 'email' | 'password'>()
  const asksForEmail = given !== undefined
  const onRefused = (error: PlatformError) => {
    if (isUnusable(error)) onUnusable(error)
    else if (error.code === 'email_taken' && asksForEmail) show({ email: error.message })
    else show(faultsFrom(error, ['name', 'email', 'password']))
    return true
  }
  const signUp = useAction('signUp', { onDone, onRefused })
  const passkey = usePasskeySignUp({ onDone, onRefused })
  const details = { secret, name: name.trim(), ...(asksForEmail && { email: email.trim() }) }
  const withPasskey = () => {
    const found = asksForEmail ? missingIn({ name, email }) : missingIn({ name })
    show(found)
    if (!isFaulty(found)) passkey.begin(details)
  }
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const found = asksForEmail ? missingIn({ name, email, password }) : missingIn({ name, password })
    show(found)
    if (!isFaulty(found)) signUp.mutate({ body: { ...details, password } })
  }
  if (passkey.password !== undefined) return <WithoutPasskey password={passkey.password} onDone={onDone} />
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
      {canMakePasskey() && (
        <>
          <Button
            size="lg"
            onClick={withPasskey}
            loading={passkey.isBusy}
            leftSection={<Icon of={FingerprintPattern} />}
            fullWidth
          >
            {words.withPasskey}
          </Button>
          <p className="account-text quiet small">{words.passkeyHelp}</p>
          <div className="entry-or quiet small">{words.orPassword}</div>
        </>
      )}
      <NewPasswordField
        label={texts.account.password}
        value={password}
        onChange={setPassword}
        error={faults.password}
      />
      <FormError message={faults.form} />
      <Button
        type="submit"
        size="lg"
        loading={signUp.isPending}
        fullWidth
        {...(canMakePasskey() && { variant: 'default' })}
      >
        {action}
      </Button>
    </form>
  )
}

/** The account exists, and its password is the only way in. */
const WithoutPasskey = ({ password, onDone }: { password: string; onDone: () => void }) => (
  <div className="stack" role="alert">
    <div className="note warn">
      <strong>{words.passkeyFailed.title}.</strong> {words.passkeyFailed.why}
    </div>
    <code className="password-made">{password}</code>
    <p className="account-text quiet small">{words.suggested}</p>
    <Button size="lg" onClick={onDone} fullWidth>
      {words.passkeyFailed.next}
    </Button>
  </div>
)
