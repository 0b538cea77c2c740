// The page of an invitation: the inviting person, the project, the role and the address. A new
// person creates an account right here, since the mailed link proves the address; others sign in
// and return. A link that no longer works is explained in general terms, since the server does
// not return the reason.

import type { PlatformError, Received } from '@petstore-platform/contract/platform/client'
import type { Role } from '@petstore-platform/contract/platform/operation'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { MailOpen } from 'lucide-react'
import { useState } from 'react'
import { isRefused, query, queryClient, useAction } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { Glyph } from '../ui/glyph.tsx'
import { Page } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { timeWords } from '../ui/time.tsx'
import { notify } from '../ui/toasts.ts'
import { Accept } from './invitation-accept.tsx'
import { forgetInvitation, useInvitationSecret } from './invitation-secret.ts'
import { Join } from './invitation-join.tsx'
import { WelcomeFrame } from './welcome-frame.tsx'

const words = texts.account.invitation
const roleWords: Record<Role, string> = words.roles

export function InvitationPage() {
  const [refusal, setRefusal] = useState<PlatformError>()
  const secret = useInvitationSecret(() => setRefusal(undefined))
  const invitation = useQuery({ ...query('getInvitation', { body: { secret } }), enabled: secret !== '' })
  // It may also have gone between looking and accepting.
  const isGone = secret === '' || refusal?.code === 'not_found' || isRefused(invitation.error, 'not_found')
  return (
    <WelcomeFrame>
      {isGone ? (
        <Page title={words.goneTitle} lead={words.gone}>
          <Gone />
        </Page>
      ) : (
        <Loaded from={invitation}>
          {(found) => (
            <Page title={words.title} lead={words.lead(found.invitedBy, found.projectName)}>
              <Facts invitation={found} />
              <Answer key={secret} secret={secret} invitation={found} refusal={refusal} onRefused={setRefusal} />
            </Page>
          )}
        </Loaded>
      )}
    </WelcomeFrame>
  )
}

function Facts({ invitation: { role, email, isMailed, expiresAt } }: { invitation: Received<'getInvitation'> }) {
  const until = timeWords(expiresAt)
  return (
    <div className="card row whole entry-facts">
      <Glyph of={MailOpen} />
      <div className="grow">
        <p className="account-text">{words.would[role]}</p>
        <p className="account-text quiet small">
          {words.for(email)} {isMailed ? words.until(until) : words.once(until)}
        </p>
      </div>
    </div>
  )
}

type AnswerProps = {
  secret: string
  invitation: Received<'getInvitation'>
  refusal: PlatformError | undefined
  onRefused: (refusal: PlatformError | undefined) => void
}

function Answer({ secret, invitation, refusal, onRefused }: AnswerProps) {
  const navigate = useNavigate()
  const account = useQuery(query('getAccount'))
  const accepting = useAction('acceptInvitation', {
    renews: ['listProjects', 'getProject'],
    onDone: ({ slug, role }) => {
      forgetInvitation()
      notify({ title: words.welcome, message: roleWords[role] })
      void navigate({ to: '/projects/$project', params: { project: slug }, replace: true })
    },
    onRefused: (error) => {
      if (error.code === 'not_signed_in') void queryClient.invalidateQueries({ queryKey: ['getAccount'] })
      else onRefused(error)
      return true
    },
  })
  const accept = () => {
    onRefused(undefined)
    accepting.mutate({ body: { secret } })
  }
  if (isRefused(account.error, 'not_signed_in'))
    return (
      <Join
        secret={secret}
        invitation={invitation}
        onJoined={async () => {
          // Data of an earlier person on this device must not stay.
          queryClient.removeQueries({ type: 'inactive' })
          await queryClient.invalidateQueries({ queryKey: ['getAccount'] })
          accept()
        }}
        onUnusable={onRefused}
      />
    )
  return (
    <Loaded from={account}>
      {(person) => (
        <Accept
          person={person}
          invitation={invitation}
          refusal={refusal}
          isBusy={accepting.isPending}
          onAccept={accept}
        />
      )}
    </Loaded>
  )
}

const Gone = () => (
  <div className="stack">
    <p className="account-text">{words.goneNext}</p>
    <p className="account-text quiet">{words.goneOwn}</p>
    <div>
      <Link to="/projects">{words.toProjects}</Link>
    </div>
  </div>
)
