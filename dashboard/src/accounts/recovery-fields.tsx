// The fields that all ways to an account or a new password share.

import { TextInput } from '@mantine/core'
import type { PASSWORD_LENGTH_MIN } from '@petstore-platform/contract/platform/accounts'
import * as texts from '../texts/texts.ts'
import { PasswordField } from './password-field.tsx'

const LENGTH_MIN: typeof PASSWORD_LENGTH_MIN = 12

type FieldProps = { value: string; onChange: (value: string) => void; error: string | undefined }

export const EmailField = ({ value, onChange, error, help }: FieldProps & { help?: string }) => (
  <TextInput
    label={texts.account.email}
    description={help}
    type="email"
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    error={error}
    autoComplete="username"
    autoCapitalize="none"
    spellCheck={false}
  />
)

export const NewPasswordField = ({ label = texts.account.change.next, ...field }: FieldProps & { label?: string }) => (
  <PasswordField {...field} label={label} description={texts.account.signUp.passwordRule(LENGTH_MIN)} isNew />
)
