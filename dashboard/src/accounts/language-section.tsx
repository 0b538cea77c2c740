// The language of the mails to the person, saved at once.

import { NativeSelect } from '@mantine/core'
import type { Received } from '@petstore/contract/platform/client'
import type { Language } from '@petstore/contract/platform/site'
import { useAction } from '../api.ts'
import { texts } from '../texts/texts.ts'
import { Section } from '../ui/page.tsx'

const words = texts.account.language
const names: Readonly<Record<Language, string>> = words.names
const languages = Object.keys(names) as Language[]

export function LanguageSection({ person: { language } }: { person: Received<'getAccount'> }) {
  const change = useAction('changeAccount', { renews: ['getAccount'], done: words.saved })
  return (
    <Section title={words.title}>
      <NativeSelect
        className="account-form"
        label={words.label}
        description={words.help}
        value={change.isPending ? (change.variables.body.language ?? language) : language}
        data={languages.map((value) => ({ value, label: names[value] }))}
        onChange={({ currentTarget }) => change.mutate({ body: { language: currentTarget.value as Language } })}
      />
    </Section>
  )
}
