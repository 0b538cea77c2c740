// The character of an animal in single words: those chosen, some to choose from in the language of the site, and any other.

import { Button, TextInput } from '@mantine/core'
import type { TRAITS_MAX } from '@petstore-platform/contract/platform/profiles'
import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useRef, useState, type KeyboardEvent } from 'react'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Section } from '../ui/page.tsx'
import { placeOf, type FormProps } from './profile-form.ts'

const words = texts.profiles
const MOST: typeof TRAITS_MAX = 12

export function TraitField({ fields: { traits }, faults, edit, isFixed }: FormProps) {
  const { slug } = useProject()
  const { data: site } = useQuery(query('getSite', { project: slug }))
  const [typed, setTyped] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const isFull = traits.length >= MOST
  const add = (trait: string) => {
    const word = trait.trim()
    if (word !== '' && !traits.includes(word) && !isFull) edit({ traits: [...traits, word] })
    setTyped('')
  }
  const remove = (trait: string) => {
    edit({ traits: traits.filter((known) => known !== trait) })
    // The button is gone; the keyboard stays in the group.
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ',') return
    event.preventDefault()
    add(typed)
  }
  const common: readonly string[] = site ? words.commonTraits[site.language] : []
  const offered = isFixed || isFull ? [] : common.filter((trait) => !traits.includes(trait))
  return (
    <Section title={words.groups.character}>
      {traits.length > 0 && (
        <ul className="profile-chips" aria-label={words.traitsGiven}>
          {traits.map((trait) => (
            <li key={trait} className="chip profile-trait">
              {trait}
              {!isFixed && (
                <button type="button" aria-label={words.removeTrait(trait)} onClick={() => remove(trait)}>
                  <Icon of={X} size={16} />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {isFixed ? (
        traits.length === 0 && <p className="quiet plain">{words.notKnown}</p>
      ) : (
        <div className="profile-add">
          <TextInput
            ref={field}
            id={placeOf('traits')}
            label={words.addTrait}
            description={words.hints.traits}
            value={typed}
            error={faults.traits}
            maxLength={30}
            disabled={isFull}
            autoComplete="off"
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            onKeyDown={onKeyDown}
            // What was typed and not confirmed is meant all the same.
            onBlur={() => add(typed)}
          />
        </div>
      )}
      {offered.length > 0 && (
        <div className="profile-chips" role="group" aria-label={words.traitsOffered} lang={site?.language}>
          {offered.map((trait) => (
            <Button
              key={trait}
              size="compact-xs"
              variant="default"
              leftSection={<Icon of={Plus} size={14} />}
              onClick={() => add(trait)}
            >
              {trait}
            </Button>
          ))}
        </div>
      )}
    </Section>
  )
}
