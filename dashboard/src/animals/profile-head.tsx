// Its name, its kind, and its status.

import { NativeSelect } from '@mantine/core'
import * as texts from '../texts/texts.ts'
import { Section } from '../ui/page.tsx'
import { categoryOptions, type Categories } from './categories.ts'
import type { AnimalDetails } from './profile-fields.ts'
import { placeOf, type FormProps } from './profile-form.ts'
import { LineField } from './profile-inputs.tsx'
import { StatusChoice } from './status-choice.tsx'

const words = texts.profiles

type HeadProps = FormProps & {
  status: AnimalDetails['status']
  categories: Categories
  onStatus: (status: AnimalDetails['status']) => void
}

export function HeadFields({ status, categories, onStatus, ...form }: HeadProps) {
  const { fields, faults, edit, isFixed } = form
  return (
    <Section title={words.groups.about(fields.name.trim() || words.noName)}>
      <div className="profile-grid">
        <LineField name="name" maxLength={255} {...form} />
        <NativeSelect
          id={placeOf('categoryId')}
          label={words.fields.categoryId}
          value={String(fields.categoryId)}
          error={faults.categoryId}
          disabled={isFixed}
          data={categoryOptions(categories, fields.categoryId)}
          onChange={({ currentTarget }) => edit({ categoryId: BigInt(currentTarget.value) })}
        />
      </div>
      <StatusChoice
        value={status}
        onChange={onStatus}
        isFixed={isFixed}
        hint={status === 'pending' && !isFixed ? words.releases : undefined}
      />
    </Section>
  )
}
