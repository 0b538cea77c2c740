// The label of a new passkey, token or key: the first field of its form.

import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { takeFocus } from './focus.ts'

const LABEL_LENGTH_MAX = 100

type LabelFieldProps = {
  words: { label: string; labelHelp: string }
  value: string
  onChange: (value: string) => void
  error: ReactNode
}

export const LabelField = ({ words, value, onChange, error }: LabelFieldProps) => (
  <TextInput
    label={words.label}
    description={words.labelHelp}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    error={error}
    maxLength={LABEL_LENGTH_MAX}
    autoComplete="off"
    ref={takeFocus}
  />
)
