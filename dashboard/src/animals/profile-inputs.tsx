// The inputs of a profile: one line, several lines, one of a few, and yes, no or not known; and those of a group, by the list
// of fields.

import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { profileInputs } from '@petstore-platform/contract/platform/profile-inputs'
import type { Answer } from '@petstore-platform/contract/platform/profiles'
import { useId } from 'react'
import * as texts from '../texts/texts.ts'
import { hasType, type Fields, type FieldsWith, type ProfileFieldName } from './profile-fields.ts'
import { placeOf, type FormProps } from './profile-form.ts'
import { choiceWords, type ChoiceName } from './profile-words.ts'

const words = texts.profiles

/** The fields with values of one type. */
type NamesOf<Value> = { [Name in keyof Fields]: Fields[Name] extends Value ? Name : never }[keyof Fields]
type TextName = Exclude<NamesOf<string>, NamesOf<Answer>>
type TextProps = FormProps & { name: TextName; maxLength: number }

const hints: Readonly<Partial<Record<TextName, string>>> = words.hints

export const LineField = ({ name, maxLength, fields, faults, edit, isFixed }: TextProps) => (
  <TextInput
    id={placeOf(name)}
    label={words.fields[name]}
    description={hints[name]}
    value={fields[name]}
    error={faults[name]}
    readOnly={isFixed}
    maxLength={maxLength}
    autoComplete="off"
    onChange={({ currentTarget }) => edit({ [name]: currentTarget.value })}
  />
)

/** As long as what is usually written; three of the others. */
const rows: Readonly<Partial<Record<TextName, number>>> = { story: 8, specialNeeds: 2 }

const TextField = ({ name, maxLength, fields, faults, edit, isFixed }: TextProps) => (
  <Textarea
    id={placeOf(name)}
    className="profile-text"
    label={words.fields[name]}
    description={hints[name]}
    rows={rows[name] ?? 3}
    value={fields[name]}
    error={faults[name]}
    readOnly={isFixed}
    maxLength={maxLength}
    onChange={({ currentTarget }) => edit({ [name]: currentTarget.value })}
  />
)

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
    {Object.entries(choiceWords[name]).map(([value, label]) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </NativeSelect>
)

type AnswerProps = FormProps & { name: NamesOf<Answer> }

/** One of three, side by side. */
function AnswerField({ name, fields, faults, edit, isFixed }: AnswerProps) {
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

type SimpleType = 'line' | 'text' | 'choice' | 'answer'
/**
 * Fields with an input of their own, or with a place that differs from the list. Of other types, and outside of the groups that
 * take what the list has, a field is one of them or does not compile.
 */
type Special = Exclude<ProfileFieldName, FieldsWith<{ type: SimpleType; group: OpenGroup }>>
type OpenGroup = 'story' | 'facts' | 'company' | 'health' | 'terms' | 'team'
const special: Readonly<Record<Special, true> & Partial<Record<ProfileFieldName, true>>> = {
  breed: true,
  secondBreed: true,
  isMixed: true,
  sex: true,
  size: true,
  weightGrams: true,
  born: true,
  traits: true,
  fee: true,
  inCareSince: true,
  portrait: true,
  isHidden: true,
  isFeatured: true,
  chipNumber: true,
}

const simpleNames = (Object.keys(profileInputs) as ProfileFieldName[]).filter(
  (name): name is Exclude<FieldsWith<{ type: SimpleType }>, 'portrait'> => special[name] === undefined,
)

type InputsProps = FormProps & { group: OpenGroup; types?: readonly SimpleType[] }

/** Everything else of a group, in the order of the list. */
export const Inputs = ({ group, types = ['line', 'text', 'choice'], ...form }: InputsProps) =>
  simpleNames
    .filter((name) => profileInputs[name].group === group && types.includes(profileInputs[name].type))
    .map((name) => <Input key={name} name={name} {...form} />)

function Input({ name, ...form }: FormProps & { name: (typeof simpleNames)[number] }) {
  if (hasType(name, 'choice')) return <ChoiceField name={name} {...form} />
  if (hasType(name, 'answer')) return <AnswerField name={name} {...form} />
  const { type, lengthMax } = profileInputs[name]
  const Field = type === 'line' ? LineField : TextField
  return <Field name={name} maxLength={lengthMax} {...form} />
}
