// A password field with a button to show the input: people who see what they type make
// fewer mistakes, even on a phone. For a new password, the field can suggest one.

import { Button, PasswordInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import * as texts from '../texts/texts.ts'
import { newPassphrase } from './passphrase.ts'

type PasswordFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  error: string | undefined
  description?: ReactNode
  /** For password managers: whether it is a new password. */
  isNew?: boolean
  /** Whether it has the focus when its dialog opens. */
  isFirst?: boolean
}

export function PasswordField(props: PasswordFieldProps) {
  const { label, value, onChange, error, description, isNew = false, isFirst = false } = props
  const [isShown, setShown] = useState(false)
  const [suggested, setSuggested] = useState<string>()
  const suggest = () => {
    const made = newPassphrase()
    setSuggested(made)
    setShown(true)
    onChange(made)
  }
  const input = (
    <PasswordInput
      label={label}
      description={description}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={error}
      aria-invalid={error !== undefined}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      data-autofocus={isFirst || undefined}
      visible={isShown}
      onVisibilityChange={setShown}
      visibilityToggleButtonProps={{
        'aria-label': isShown ? texts.account.hidePassword : texts.account.showPassword,
        tabIndex: 0,
      }}
    />
  )
  if (!isNew) return input
  return (
    <div>
      {input}
      <Button className="password-suggest" size="compact-sm" variant="subtle" onClick={suggest}>
        {texts.account.signUp.suggest}
      </Button>
      <p className="plain quiet small" role="status">
        {suggested !== undefined && suggested === value ? texts.account.signUp.suggested : ''}
      </p>
    </div>
  )
}
