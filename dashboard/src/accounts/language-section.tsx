// The language of the mails to the person, saved at once.

import { NativeSelect } from '@mantine/core'
import type { Received } from '@petstore-platform/contract/platform/client'
import type { Language } from '@petstore-platform/contract/platform/site'
import { useAction } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { Part } from './account-part.tsx'

const words = texts.account.language
const names: Readonly<Record<Language, string>> = words.names
const languages = Object.keys(names) as Language[]

export function LanguageSection({ person: { language, timeZone } }: { person: Received<'getAccount'> }) {
  const change = useAction('changeAccount', { renews: ['getAccount'], done: words.saved })
  return (
    <Part title={words.title} lead={`${words.help} ${words.times(timeZone ?? 'UTC')}`} isForm>
      <NativeSelect
        label={words.label}
        value={change.isPending ? (change.variables.body.language ?? language) : language}
        data={languages.map((value) => ({ value, label: names[value] }))}
        onChange={({ currentTarget }) => change.mutate({ body: { language: currentTarget.value as Language } })}
      />
    </Part>
  )
}
