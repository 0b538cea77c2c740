// The page of an invitation link: the inviting person, the project and the role.
// Accepting requires a session, so a visitor without one is sent to sign in and back. A
// link that no longer works is explained in general terms, since the server does not
// return the reason.

import { Button } from '@mantine/core'
import type { PlatformError, Received } from '@petstore/contract/platform/client'
import type { Role } from '@petstore/contract/platform/operation'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { isRefused, query, queryClient, useAction } from '../api.ts'
import { OpenPage } from '../shell/top-bar.tsx'
import { texts } from '../texts/texts.ts'
import { notify } from '../ui/toasts.ts'
import { Page } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { timeWords } from '../ui/time.tsx'
import './accounts.css'
import { wordsFor } from './field-errors.ts'
import { FormError } from './form-error.tsx'

const words = texts.account.invitation
const roleWords: Record<Role, string> = words.roles

export function InvitationPage() {
  const { secret } = useParams({ from: '/invitations/$secret' })
  const invitation = useQuery(query('getInvitation', { secret }))
  const [refusal, setRefusal] = useState<PlatformError>()
  // It may also have gone between looking and accepting.
  const isGone = refusal?.code === 'not_found' || isRefused(invitation.error, 'not_found')
  return (
    <OpenPage>
      {isGone ? (
        <Page title={words.goneTitle} lead={words.gone}>
          <Gone />
        </Page>
      ) : (
        <Loaded from={invitation}>
          {({ projectName, invitedBy, role, expiresAt }) => (
            <Page title={words.title} lead={words.lead(invitedBy, projectName)}>
              <div className="card stack entry">
                <p className="account-text">{words.would[role]}</p>
                <p className="account-text quiet small">{words.once(timeWords(expiresAt))}</p>
                <Answer secret={secret} refusal={refusal} onRefused={setRefusal} />
              </div>
            </Page>
          )}
        </Loaded>
      )}
    </OpenPage>
  )
}

type AnswerProps = {
  secret: string
  refusal: PlatformError | undefined
  onRefused: (refusal: PlatformError) => void
}

function Answer(answer: AnswerProps) {
  const account = useQuery(query('getAccount'))
  if (isRefused(account.error, 'not_signed_in'))
    return <First next={`/invitations/${encodeURIComponent(answer.secret)}`} />
  return <Loaded from={account}>{(person) => <Accept {...answer} person={person} />}</Loaded>
}

const First = ({ next }: { next: string }) => (
  <>
    <p className="account-text">{words.first}</p>
    <Button renderRoot={(props) => <Link to="/sign-up" search={{ next }} {...props} />}>{words.signUp}</Button>
    <Button variant="default" renderRoot={(props) => <Link to="/sign-in" search={{ next }} {...props} />}>
      {words.signIn}
    </Button>
  </>
)

const Gone = () => (
  <div className="card stack entry">
    <p className="account-text">{words.goneNext}</p>
    <p className="account-text quiet">{words.goneOwn}</p>
    <div>
      <Link to="/projects">{words.toProjects}</Link>
    </div>
  </div>
)

function Accept({ secret, person, refusal, onRefused }: AnswerProps & { person: Received<'getAccount'> }) {
  const navigate = useNavigate()
  const accept = useAction('acceptInvitation', {
    renews: ['listProjects', 'getProject'],
    onDone: ({ slug, role }) => {
      notify({ title: words.welcome, message: roleWords[role] })
      void navigate({ to: '/projects/$project', params: { project: slug }, replace: true })
    },
    onRefused: (error) => {
      if (error.code === 'not_signed_in') void queryClient.invalidateQueries({ queryKey: ['getAccount'] })
      else onRefused(error)
      return true
    },
  })
  const signOut = useAction('signOut', { onDone: () => void queryClient.resetQueries() })
  return (
    <>
      <p className="account-text">{texts.account.invitation.as(person.name, person.email)}</p>
      <FormError words={refusal && wordsFor(refusal)} />
      <Button onClick={() => accept.mutate({ body: { secret } })} loading={accept.isPending}>
        {words.accept}
      </Button>
      <Button variant="subtle" onClick={() => signOut.mutate({})} loading={signOut.isPending}>
        {words.other}
      </Button>
    </>
  )
}
