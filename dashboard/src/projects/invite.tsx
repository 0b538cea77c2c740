// Invites a person: by a mail to the address, or in an installation without mail by a link, shown
// once, which the member sends.

import { Button, NativeSelect, TextInput } from '@mantine/core'
import type { Received } from '@petstore-platform/contract/platform/client'
import type { Role } from '@petstore-platform/contract/platform/operation'
import { useQuery } from '@tanstack/react-query'
import { useState, type SyntheticEvent } from 'react'
import { faultsFrom, isFaulty, missingIn } from '../ui/field-errors.ts'
import { FormError } from '../ui/form-error.tsx'
import { useFaults } from '../ui/use-field-errors.ts'
import { query, useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Copy } from '../ui/copy.tsx'
import { Section } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { timeWords } from '../ui/time.tsx'
import { roleList, roleViews } from './views.ts'

const { invitations: words } = texts.projects

type Fresh = Received<'createInvitation'>
type InviteProps = { fresh: Fresh | undefined; onMade: (made: Fresh) => void }

export function Invite({ fresh, onMade }: InviteProps) {
  const installation = useQuery(query('getSignUp'))
  return (
    <Section title={words.title}>
      <Loaded from={installation}>{({ sendsMail }) => <Form sendsMail={sendsMail} onMade={onMade} />}</Loaded>
      <div aria-live="polite" className="said">
        {fresh && (fresh.link === null ? <Mailed invitation={fresh} /> : <FreshLink {...fresh} link={fresh.link} />)}
      </div>
    </Section>
  )
}

function Form({ sendsMail, onMade }: Pick<InviteProps, 'onMade'> & { sendsMail: boolean }) {
  const { slug, isOwner } = useProject()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const [note, setNote] = useState('')
  const { form, faults, show } = useFaults<'email' | 'note'>()
  const invite = useAction('createInvitation', {
    renews: ['listInvitations'],
    onDone: (made) => {
      setEmail('')
      setNote('')
      onMade(made)
    },
    onRefused: (error) => {
      // Mail was turned off since the page was loaded.
      if (error.code === 'mail_unavailable') show({ form: words.noOwner })
      else show(faultsFrom(error, ['email', 'note']))
      return true
    },
  })
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const found = missingIn({ email })
    show(found)
    if (!isFaulty(found)) invite.mutate({ project: slug, body: { email: email.trim(), role, note: note.trim() } })
  }
  // Only an owner can invite an owner, and only by a mail that proves the address.
  const offered = roleList.filter((one) => one !== 'owner' || (isOwner && sendsMail))
  return (
    <form ref={form} className="stack" onSubmit={send} aria-label={words.title} noValidate>
      <p className="quiet plain">{sendsMail ? words.lead : words.leadWithout}</p>
      <div className="invite-fields">
        <TextInput
          label={words.email}
          type="email"
          value={email}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={faults.email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
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
          error={faults.note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
      </div>
      {isOwner && !sendsMail && <p className="quiet small plain">{words.noOwner}</p>}
      <FormError message={faults.form} />
      <div>
        <Button type="submit" loading={invite.isPending}>
          {sendsMail ? words.mails : words.make}
        </Button>
      </div>
    </form>
  )
}

const Mailed = ({ invitation: { email, expiresAt } }: { invitation: Fresh }) => (
  <div className="note good stack">
    <strong>{words.mailed(email)}</strong>
    <span className="small">{words.mailedUntil(timeWords(expiresAt))}</span>
  </div>
)

const FreshLink = ({ email, link, expiresAt }: Pick<Fresh, 'email' | 'expiresAt'> & { link: string }) => (
  <div className="note good stack">
    <strong>{words.made(email)}</strong>
    <div className="row">
      <code className="link-once">{link}</code>
      <Copy value={link} what={words.copyWhat} />
    </div>
    <span className="small">{words.once(timeWords(expiresAt))}</span>
  </div>
)
