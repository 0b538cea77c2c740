// The appearance of the site: its look, its colour and its logo.

import { TextInput } from '@mantine/core'
import { Palette } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import type { Site } from './fields.ts'
import { faultAt, fieldId, type FormProps } from './form.ts'
import { Group } from './group.tsx'
import { LogoField } from './logo-field.tsx'
import { LookField } from './look-field.tsx'

const words = texts.site

type AppearanceProps = FormProps & { logo: Site['logo']; onSite: (site: Site) => void }

export const AppearanceFields = ({ logo, onSite, ...form }: AppearanceProps) => (
  <Group title={words.look} icon={Palette} id={fieldId('look')}>
    <LookField {...form} />
    <ColourField {...form} />
    <LogoField logo={logo} onSite={onSite} isFixed={form.isFixed} />
  </Group>
)

const ColourField = ({ fields: { themeColor }, faults, edit, isFixed }: FormProps) => (
  <div className="stack tight">
    <TextInput
      label={words.fields.themeColor}
      description={words.colourHelp}
      value={themeColor}
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
          value={themeColor}
          disabled={isFixed}
          onChange={({ currentTarget }) => edit({ themeColor: currentTarget.value })}
        />
      }
      // The same colour, as the server writes it.
      onChange={({ currentTarget }) => edit({ themeColor: currentTarget.value.trim().toLowerCase() })}
    />
    {!isFixed && (
      <div className="site-swatches" role="group" aria-label={words.swatches}>
        {words.colours.map(([color, name]) => (
          <button
            key={color}
            type="button"
            aria-label={name}
            title={name}
            aria-pressed={color === themeColor}
            onClick={() => edit({ themeColor: color })}
          >
            <svg viewBox="0 0 36 36" aria-hidden>
              <circle cx="18" cy="18" r={color === themeColor ? 11 : 15} fill={color} />
              {color === themeColor && <circle cx="18" cy="18" r="15.5" fill="none" stroke={color} strokeWidth="2.5" />}
            </svg>
          </button>
        ))}
      </div>
    )}
  </div>
)
