// Accepting an invitation with the account that is signed in. A mailed one can be accepted only by
// the account that has its address and has confirmed it; others are shown how to get there.

import { Button } from '@mantine/core'
import type { PlatformError, Received } from '@petstore-platform/contract/platform/client'
import { useState } from 'react'
import { queryClient, useAction } from '../api.ts'
import { endStreamOfAccount } from '../stream.ts'
import * as texts from '../texts/texts.ts'
import { wordsFor } from '../ui/field-errors.ts'
import { FormError } from '../ui/form-error.tsx'

const words = texts.account.invitation

type AcceptProps = {
  person: Received<'getAccount'>
  invitation: Received<'getInvitation'>
  refusal: PlatformError | undefined
  isBusy: boolean
  onAccept: () => void
}

export function Accept({ person, invitation, refusal, isBusy, onAccept }: AcceptProps) {
  const { email, isMailed } = invitation
  const isOther = isMailed && keyOf(person.email) !== keyOf(email)
  // The address may have been confirmed in another tab since.
  const isUnverified = isMailed && !isOther && !person.isVerified
  // The account may have changed since the page was loaded.
  const isRefused = refusal?.code === 'other_address' && !isUnverified
  if (isOther || isRefused) return <OtherAddress person={person} invited={email} />
  return (
    <div className="stack">
      <p className="account-text">{words.as(person.name, person.email)}</p>
      {isUnverified ? (
        <Unverified email={person.email} />
      ) : (
        <>
          <FormError message={refusal && wordsFor(refusal)} />
          <Button size="lg" onClick={onAccept} loading={isBusy}>
            {words.accept}
          </Button>
        </>
      )}
      <SignOut label={words.other} />
    </div>
  )
}

const OtherAddress = ({ person, invited }: { person: Received<'getAccount'>; invited: string }) => (
  <section className="stack" aria-label={words.wrongTitle}>
    <h2>{words.wrongTitle}</h2>
    <p className="account-text">{words.as(person.name, person.email)}</p>
    <p className="account-text">{words.wrong(invited)}</p>
    <SignOut label={words.signOut} isFilled />
  </section>
)

function SignOut({ label, isFilled = false }: { label: string; isFilled?: boolean }) {
  const signOut = useAction('signOut', {
    onDone: () => {
      endStreamOfAccount()
      void queryClient.resetQueries()
    },
  })
  return (
    <Button {...(!isFilled && { variant: 'subtle' })} onClick={() => signOut.mutate({})} loading={signOut.isPending}>
      {label}
    </Button>
  )
}

function Unverified({ email }: { email: string }) {
  const [isMailed, setMailed] = useState(false)
  const request = useAction('requestEmailChange', { onDone: () => setMailed(true) })
  return (
    <div className="note warn stack">
      <p className="account-text" role="status">
        {isMailed ? words.verifying(email) : words.unverified(email)}
      </p>
      <div>
        <Button variant="default" loading={request.isPending} onClick={() => request.mutate({ body: { email } })}>
          {words.verify}
        </Button>
      </div>
    </div>
  )
}

/** As the server compares addresses; whether the invitation can be accepted, it decides itself. */
const keyOf = (email: string) => email.normalize('NFKC').toLowerCase()
