// The texts of the site in the owner's own words.

import { Textarea, TextInput } from '@mantine/core'
import { texts } from '../texts/texts.ts'
import { Section } from '../ui/page.tsx'
import { faultAt, type FormProps } from './form.ts'

const words = texts.site

export const WordFields = ({ fields, faults, edit, isFixed }: FormProps) => (
  <Section title={words.words}>
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
  </Section>
)
