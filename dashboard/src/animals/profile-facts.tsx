// What is known about an animal: breed, sex, age, looks.

import { Checkbox, TextInput } from '@mantine/core'
import { profileInputs } from '@petstore-platform/contract/platform/profile-inputs'
import { useState } from 'react'
import * as texts from '../texts/texts.ts'
import { Section } from '../ui/page.tsx'
import { ageWords } from './age.ts'
import { readBorn, writeBorn } from './born.ts'
import { placeOf, type FormProps } from './profile-form.ts'
import { ChoiceField, Inputs, LineField } from './profile-inputs.tsx'

const words = texts.profiles

export const FactFields = (form: FormProps) => (
  <Section title={words.groups.facts}>
    <div className="profile-grid">
      <BreedFields {...form} />
      <ChoiceField name="sex" {...form} />
      <ChoiceField name="size" {...form} />
      <BornField {...form} />
      <LineField name="weightGrams" maxLength={40} {...form} />
      <Inputs group="facts" {...form} />
    </div>
  </Section>
)

function BreedFields(form: FormProps) {
  const { fields, edit, isFixed } = form
  return (
    <div className="profile-breed">
      <div className="stack tight">
        <LineField name="breed" maxLength={profileInputs.breed.lengthMax} {...form} />
        <Checkbox
          label={words.fields.isMixed}
          checked={fields.isMixed}
          disabled={isFixed}
          onChange={({ currentTarget: { checked } }) =>
            // Only a mixed breed has a second one.
            edit(checked ? { isMixed: true } : { isMixed: false, secondBreed: '' })
          }
        />
      </div>
      {fields.isMixed && <LineField name="secondBreed" maxLength={profileInputs.secondBreed.lengthMax} {...form} />}
    </div>
  )
}

function BornField({ fields, faults, edit, isFixed }: FormProps) {
  const [today] = useState(() => new Date())
  const read = readBorn(fields.born, today)
  const said = read && ageWords({ ...read, isEstimated: fields.isBornEstimated }, today)
  const write = (born: string) => {
    const isGuess = readBorn(born, today)?.isEstimated === true
    // "12 a" is an age until it becomes "12 April 2024".
    edit(isGuess || read?.isEstimated ? { born, isBornEstimated: isGuess } : { born })
  }
  return (
    <div className="stack tight">
      <TextInput
        id={placeOf('born')}
        label={words.fields.born}
        description={words.hints.born}
        value={fields.born}
        error={faults.born}
        readOnly={isFixed}
        maxLength={40}
        autoComplete="off"
        onChange={({ currentTarget }) => write(currentTarget.value)}
      />
      {read && (
        <div className="row tight apart">
          <Checkbox
            label={words.fields.isBornEstimated}
            checked={fields.isBornEstimated}
            disabled={isFixed}
            onChange={({ currentTarget }) => edit({ isBornEstimated: currentTarget.checked })}
          />
          <span className="quiet small">{words.bornAs(writeBorn(read), said ?? '')}</span>
        </div>
      )}
    </div>
  )
}
