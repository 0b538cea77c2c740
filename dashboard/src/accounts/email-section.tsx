// The address of the account: whether it is verified, and how to change it. It changes when the link in the mail to
// the new address is used.

import { Button, TextInput } from '@mantine/core'
import type { Received } from '@petstore-platform/contract/platform/client'
import { useState, type SyntheticEvent } from 'react'
import { useAction } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Part } from './account-part.tsx'
import { faultsFrom, isFaulty, missingIn } from '../ui/field-errors.ts'
import { FormError } from '../ui/form-error.tsx'
import { useFaults } from '../ui/use-field-errors.ts'

const words = texts.account.address

export function EmailSection({ person }: { person: Received<'getAccount'> }) {
  const [email, setEmail] = useState('')
  const [mailedTo, setMailedTo] = useState<string>()
  const { form, faults, show } = useFaults<'email'>()
  const request = useAction('requestEmailChange', {
    renews: ['listAccountEvents'],
    onRefused: (error) => {
      show(faultsFrom(error, ['email']))
      return true
    },
  })
  // What the server writes in place of an address that another person has proved.
  const isMoved = person.email.endsWith('@moved.invalid')
  const ask = (to: string) => {
    show({})
    request.mutate({ body: { email: to } }, { onSuccess: () => setMailedTo(to) })
  }
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const found = missingIn({ email })
    show(found)
    if (!isFaulty(found)) ask(email.trim())
  }
  return (
    <Part title={words.title} lead={words.help} isForm>
      {isMoved ? (
        <p className="note warn account-text">{words.moved}</p>
      ) : (
        <p className="account-text row tight">
          <strong>{person.email}</strong>
          <Badge tone={person.isVerified ? 'good' : 'warn'}>
            {person.isVerified ? words.verified : words.unverified}
          </Badge>
        </p>
      )}
      {(!person.isVerified || !person.isReachable) && !isMoved && (
        <div className="note warn stack">
          <p className="account-text">{person.isReachable ? words.why : words.unreachable(person.email)}</p>
          <div>
            <Button variant="default" loading={request.isPending} onClick={() => ask(person.email)}>
              {words.verify}
            </Button>
          </div>
        </div>
      )}
      {mailedTo !== undefined && (
        <p className="note good account-text" role="status">
          {words.mailed(mailedTo)}
        </p>
      )}
      <form ref={form} className="stack" onSubmit={send} aria-label={words.change} noValidate>
        <div className="account-inline">
          <TextInput
            label={words.next}
            type="email"
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
            error={faults.email}
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
          />
          <Button type="submit" variant="default" loading={request.isPending}>
            {words.action}
          </Button>
        </div>
        <FormError message={faults.form} />
      </form>
    </Part>
  )
}
