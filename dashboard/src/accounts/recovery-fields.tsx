// The fields that both ways to a new password share.

import { TextInput } from '@mantine/core'
import type { PASSWORD_LENGTH_MIN } from '@petstore/contract/platform/accounts'
import { texts } from '../texts/texts.ts'
import { PasswordField } from './password-field.tsx'

const LENGTH_MIN: typeof PASSWORD_LENGTH_MIN = 10

type FieldProps = { value: string; onChange: (value: string) => void; error: string | undefined }

export const EmailField = ({ value, onChange, error }: FieldProps) => (
  <TextInput
    label={texts.account.email}
    type="email"
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    error={error}
    autoComplete="username"
    autoCapitalize="none"
    spellCheck={false}
  />
)

export const NewPasswordField = (field: FieldProps) => (
  <PasswordField
    {...field}
    label={texts.account.change.next}
    description={texts.account.signUp.passwordRule(LENGTH_MIN)}
    isNew
  />
)
