// The languages of the site: the main one, in which the owner writes, and those in which every page exists as well.

import { Checkbox, NativeSelect } from '@mantine/core'
import type { Language } from '@petstore-platform/contract/platform/site'
import { useId } from 'react'
import * as texts from '../texts/texts.ts'
import { furtherLanguages } from './fields.ts'
import { faultAt, type FormProps } from './form.ts'

const words = texts.site
/** In the order of the words: a language that the contract adds does not compile until it has a name. */
const names: Record<Language, string> = words.languages
const all = Object.keys(names) as Language[]

export function LanguageFields({ fields, faults, edit, isFixed }: FormProps) {
  const id = useId()
  const further = furtherLanguages(fields)
  const choose = (language: Language, isChosen: boolean) =>
    edit({ languages: isChosen ? [...further, language] : further.filter((one) => one !== language) })
  return (
    <>
      <NativeSelect
        label={words.fields.language}
        description={words.languageHelp}
        value={fields.language}
        error={faultAt(faults, 'language')}
        disabled={isFixed}
        data={all.map((value) => ({ value, label: names[value] }))}
        onChange={({ currentTarget }) => edit({ language: currentTarget.value as Language })}
      />
      <div className="stack tight" role="group" aria-labelledby={`${id}-label`} aria-describedby={`${id}-help`}>
        <span id={`${id}-label`} className="site-label">
          {words.fields.languages}
        </span>
        <p id={`${id}-help`} className="quiet small plain">
          {words.languagesHelp}
        </p>
        <div className="site-languages">
          {all
            .filter((language) => language !== fields.language)
            .map((language) => (
              <Checkbox
                key={language}
                label={names[language]}
                checked={further.includes(language)}
                disabled={isFixed}
                onChange={({ currentTarget }) => choose(language, currentTarget.checked)}
              />
            ))}
        </div>
        {faults.languages !== undefined && (
          <p role="alert" className="site-fault small">
            {faultAt(faults, 'languages')}
          </p>
        )}
      </div>
    </>
  )
}
