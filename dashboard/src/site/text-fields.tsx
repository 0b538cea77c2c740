// The texts of the site in the owner's own words, and the languages of those that the site adds.

import { Textarea, TextInput } from '@mantine/core'
import { Type } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import { faultAt, fieldId, type FormProps } from './form.ts'
import { Group } from './group.tsx'
import { LanguageFields } from './language-fields.tsx'

const words = texts.site

export const WordFields = (form: FormProps) => {
  const { fields, faults, edit, isFixed } = form
  return (
    <Group title={words.words} icon={Type}>
      <TextInput
        label={words.fields.title}
        description={words.titleHelp}
        value={fields.title}
        error={faultAt(faults, 'title')}
        readOnly={isFixed}
        onChange={({ currentTarget }) => edit({ title: currentTarget.value })}
      />
      <TextInput
        label={words.fields.tagline}
        description={words.taglineHelp}
        value={fields.tagline}
        error={faultAt(faults, 'tagline')}
        readOnly={isFixed}
        onChange={({ currentTarget }) => edit({ tagline: currentTarget.value })}
      />
      <Textarea
        id={fieldId('about')}
        label={words.fields.about}
        rows={10}
        value={fields.about}
        error={faultAt(faults, 'about')}
        readOnly={isFixed}
        onChange={({ currentTarget }) => edit({ about: currentTarget.value })}
      />
      <details className="site-help small">
        <summary>{words.aboutHelp}</summary>
        <dl>
          {words.aboutExamples.map(([typed, becomes]) => (
            <div key={typed}>
              <dt>
                <code>{typed}</code>
              </dt>
              <dd>{becomes}</dd>
            </div>
          ))}
        </dl>
        <p className="quiet">{words.aboutParagraphs}</p>
      </details>
      <LanguageFields {...form} />
    </Group>
  )
}
