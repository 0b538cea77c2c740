// Sets a new password with a recovery code, for people who cannot read their mail.

import { Button, TextInput } from '@mantine/core'
import { useState, type SyntheticEvent } from 'react'
import { useAction } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { faultsFrom, isFaulty, missingIn } from '../ui/field-errors.ts'
import { FormError } from '../ui/form-error.tsx'
import { EmailField, NewPasswordField } from './recovery-fields.tsx'
import { useFaults } from '../ui/use-field-errors.ts'

const words = texts.account.recovery.code
const fields = ['email', 'code', 'password'] as const

type RecoveryCodeFormProps = { email: string; onEmail: (email: string) => void; onDone: () => void }

export function RecoveryCodeForm({ email, onEmail, onDone }: RecoveryCodeFormProps) {
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const { form, faults, show } = useFaults<(typeof fields)[number]>()
  const recover = useAction('recoverWithCode', {
    onDone,
    onRefused: (error) => {
      show(error.code === 'wrong_credentials' ? { form: words.wrong } : faultsFrom(error, fields))
      return true
    },
  })
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const found = missingIn({ email, code, password })
    show(found)
    if (!isFaulty(found)) recover.mutate({ body: { email: email.trim(), code: code.trim(), password } })
  }
  return (
    <form ref={form} className="stack" onSubmit={send} aria-label={words.title} noValidate>
      <EmailField value={email} onChange={onEmail} error={faults.email} />
      <TextInput
        label={words.label}
        description={words.help}
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
        error={faults.code}
        maxLength={50}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <NewPasswordField value={password} onChange={setPassword} error={faults.password} />
      <FormError message={faults.form} />
      <Button type="submit" loading={recover.isPending} fullWidth>
        {words.action}
      </Button>
    </form>
  )
}
