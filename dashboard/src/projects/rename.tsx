// The name of the project. The input stays until it is saved, whatever events of the
// project arrive in the meantime.

import { Button, TextInput } from '@mantine/core'
import { useState, type SyntheticEvent } from 'react'
import { useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Section } from '../ui/page.tsx'

const { general: words } = texts.projects

export function Rename() {
  const { slug, name, mayEdit } = useProject()
  const [typed, setTyped] = useState<string>()
  const [fault, setFault] = useState<string>()
  const rename = useAction('changeProject', {
    renews: ['getProject', 'listProjects'],
    done: words.renamed,
    onDone: () => setTyped(undefined),
    onRefused: ({ message }) => {
      if (!message.startsWith("'name'")) return false
      setFault(message)
      return true
    },
  })
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    if (typed !== undefined) rename.mutate({ project: slug, body: { name: typed.trim() } })
  }
  return (
    <Section title={words.name}>
      <form className="name-row" onSubmit={send} aria-label={words.nameLabel} noValidate>
        <TextInput
          label={words.nameLabel}
          description={mayEdit ? words.nameHint : words.viewer}
          value={typed ?? name}
          disabled={!mayEdit}
          maxLength={255}
          error={fault !== undefined && <span role="alert">{fault}</span>}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value)
            setFault(undefined)
          }}
        />
        {mayEdit && (
          <Button type="submit" loading={rename.isPending} disabled={typed === undefined || typed.trim() === name}>
            {texts.common.save}
          </Button>
        )}
      </form>
    </Section>
  )
}
