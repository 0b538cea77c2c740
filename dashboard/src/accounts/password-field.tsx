// A password, which can be shown while it is typed: whoever sees what they type makes
// fewer mistakes, also on a phone.

import { PasswordInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { texts } from '../texts/texts.ts'

type PasswordFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  error: string | undefined
  description?: ReactNode
  /** For those who keep passwords: whether it is a new one. */
  isNew?: boolean
}

export function PasswordField({ label, value, onChange, error, description, isNew = false }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  return (
    <PasswordInput
      label={label}
      description={description}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={error}
      aria-invalid={error !== undefined}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      maxLength={256}
      visible={isShown}
      onVisibilityChange={setShown}
      visibilityToggleButtonProps={{
        'aria-label': isShown ? texts.account.hidePassword : texts.account.showPassword,
        tabIndex: 0,
      }}
    />
  )
}
