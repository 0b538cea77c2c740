// The inputs of a profile: one line, several lines, one of a few, and yes, no or not known.

import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { Answer } from '@petstore-platform/contract/platform/profiles'
import { useId } from 'react'
import * as texts from '../texts/texts.ts'
import type { Fields } from './profile-fields.ts'
import { placeOf, type FormProps } from './profile-form.ts'

const words = texts.profiles

/** The fields with values of one type. */
type NamesOf<Value> = { [Name in keyof Fields]: Fields[Name] extends Value ? Name : never }[keyof Fields]
type TextName = Exclude<NamesOf<string>, NamesOf<Answer>>
type TextProps = FormProps & { name: TextName; hint?: string; maxLength: number; inputMode?: 'decimal' | 'numeric' }

export const LineField = ({ name, hint, maxLength, inputMode, fields, faults, edit, isFixed }: TextProps) => (
  <TextInput
    id={placeOf(name)}
    label={words.fields[name]}
    description={hint}
    value={fields[name]}
    error={faults[name]}
    readOnly={isFixed}
    maxLength={maxLength}
    inputMode={inputMode}
    autoComplete="off"
    onChange={({ currentTarget }) => edit({ [name]: currentTarget.value })}
  />
)

type LongProps = Omit<TextProps, 'inputMode'> & { rows: number }

export const TextField = ({ name, hint, maxLength, rows, fields, faults, edit, isFixed }: LongProps) => (
  <Textarea
    id={placeOf(name)}
    className="profile-text"
    label={words.fields[name]}
    description={hint}
    rows={rows}
    value={fields[name]}
    error={faults[name]}
    readOnly={isFixed}
    maxLength={maxLength}
    onChange={({ currentTarget }) => edit({ [name]: currentTarget.value })}
  />
)

type ChoiceName = 'sex' | 'size' | 'coat'
const choices: { readonly [Name in ChoiceName]: Readonly<Record<NonNullable<Fields[Name]>, string>> } = {
  sex: words.sexes,
  size: words.sizes,
  coat: words.coats,
}

export const ChoiceField = ({ name, fields, faults, edit, isFixed }: FormProps & { name: ChoiceName }) => (
  <NativeSelect
    id={placeOf(name)}
    label={words.fields[name]}
    value={fields[name] ?? ''}
    error={faults[name]}
    disabled={isFixed}
    onChange={({ currentTarget: { value } }) => edit({ [name]: value === '' ? null : value })}
  >
    <option value="">{words.notKnown}</option>
    {Object.entries(choices[name]).map(([value, label]) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </NativeSelect>
)

type AnswerProps = FormProps & { name: NamesOf<Answer> }

/** One of three, side by side. */
export function AnswerField({ name, fields, faults, edit, isFixed }: AnswerProps) {
  const id = useId()
  return (
    <div className="profile-answer" role="radiogroup" aria-labelledby={`${id}-label`} id={placeOf(name)} tabIndex={-1}>
      <span id={`${id}-label`} className="profile-label">
        {words.fields[name]}
      </span>
      <span className="seg profile-seg">
        {(Object.keys(words.answers) as Answer[]).map((answer) => (
          <label key={answer} data-answer={answer}>
            <input
              type="radio"
              className="visually-hidden"
              name={id}
              value={answer}
              checked={fields[name] === answer}
              disabled={isFixed}
              onChange={() => edit({ [name]: answer })}
            />
            {words.answers[answer]}
          </label>
        ))}
      </span>
      {faults[name] !== undefined && (
        <p role="alert" className="profile-fault small">
          {faults[name]}
        </p>
      )}
    </div>
  )
}
