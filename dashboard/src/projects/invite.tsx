// Creates an invitation: a link, shown once, which the member sends.

import { Button, NativeSelect, TextInput } from '@mantine/core'
import type { Received } from '@petstore/contract/platform/client'
import type { Role } from '@petstore/contract/platform/operation'
import { useState, type SyntheticEvent } from 'react'
import { useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { Copy } from '../ui/copy.tsx'
import { Section } from '../ui/page.tsx'
import { timeWords } from '../ui/time.tsx'
import { roleList, roleViews } from './views.ts'

const { invitations: words } = texts.projects

type Fresh = Received<'createInvitation'>

export function Invite({ fresh, onMade }: { fresh: Fresh | undefined; onMade: (made: Fresh) => void }) {
  const { slug, isOwner } = useProject()
  const [role, setRole] = useState<Role>('viewer')
  const [note, setNote] = useState('')
  const [fault, setFault] = useState<string>()
  const invite = useAction('createInvitation', {
    renews: ['listInvitations'],
    onDone: (made) => {
      setNote('')
      onMade(made)
    },
    onRefused: ({ message }) => {
      if (!message.startsWith("'note'")) return false
      setFault(message)
      return true
    },
  })
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    invite.mutate({ project: slug, body: { role, note: note.trim() } })
  }
  // Only an owner can invite an owner, so others do not get the choice.
  const offered = roleList.filter((one) => one !== 'owner' || isOwner)
  return (
    <Section title={words.title}>
      <p className="quiet plain">{words.lead}</p>
      <form className="stack" onSubmit={send} aria-label={words.title} noValidate>
        <div className="invite-fields">
          <NativeSelect
            label={words.role}
            value={role}
            data={offered.map((value) => ({ value, label: roleViews[value].label }))}
            onChange={({ currentTarget }) => setRole(currentTarget.value as Role)}
          />
          <TextInput
            label={words.note}
            placeholder={words.noteHint}
            value={note}
            maxLength={100}
            autoComplete="off"
            error={fault !== undefined && <span role="alert">{fault}</span>}
            onChange={({ currentTarget }) => {
              setNote(currentTarget.value)
              setFault(undefined)
            }}
          />
        </div>
        <div>
          <Button type="submit" loading={invite.isPending}>
            {words.make}
          </Button>
        </div>
      </form>
      <div aria-live="polite">{fresh && <FreshLink invitation={fresh} />}</div>
    </Section>
  )
}

const FreshLink = ({ invitation: { link, expiresAt } }: { invitation: Fresh }) => (
  <div className="note good stack">
    <strong>{words.made}</strong>
    <div className="row">
      <code className="link-once">{link}</code>
      <Copy value={link} what={words.copyWhat} />
    </div>
    <span className="small">{words.once(timeWords(expiresAt))}</span>
  </div>
)
