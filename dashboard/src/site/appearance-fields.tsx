// The appearance of the site: its colour, its logo and the language of its built-in
// texts.

import { NativeSelect, TextInput } from '@mantine/core'
import type { Language } from '@petstore/contract/platform/site'
import { texts } from '../texts/texts.ts'
import { Section } from '../ui/page.tsx'
import type { Site } from './fields.ts'
import { faultAt, type FormProps } from './form.ts'
import { LogoField } from './logo-field.tsx'

const words = texts.site
const languageNames: Record<Language, string> = words.languages

type AppearanceProps = FormProps & { logo: Site['logo']; onSite: (site: Site) => void }

export const AppearanceFields = ({ fields, faults, edit, isFixed, logo, onSite }: AppearanceProps) => (
  <Section title={words.look}>
    <TextInput
      label={words.fields.themeColor}
      description={words.colourHelp}
      value={fields.themeColor}
      error={faultAt(faults, 'themeColor')}
      readOnly={isFixed}
      className="site-colour"
      spellCheck={false}
      leftSectionPointerEvents="all"
      leftSection={
        <input
          type="color"
          aria-label={words.colourPicker}
          // An input of this type holds a whole colour or black; partial input stays in the text field next to it.
          value={fields.themeColor}
          disabled={isFixed}
          onChange={({ currentTarget }) => edit({ themeColor: currentTarget.value })}
        />
      }
      // The same colour, as the server writes it.
      onChange={({ currentTarget }) => edit({ themeColor: currentTarget.value.trim().toLowerCase() })}
    />
    <NativeSelect
      label={words.fields.language}
      description={words.languageHelp}
      value={fields.language}
      error={faultAt(faults, 'language')}
      disabled={isFixed}
      data={Object.entries(languageNames).map(([value, label]) => ({ value, label }))}
      onChange={({ currentTarget }) => edit({ language: currentTarget.value as Language })}
    />
    <LogoField logo={logo} onSite={onSite} isFixed={isFixed} />
  </Section>
)
