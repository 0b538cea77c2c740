// Joining by an invitation without a session: a new person enters name and password, and a person
// with an account signs in and returns. A mailed invitation proves the address; for one that was
// passed on, the person enters an address.

import { Button } from '@mantine/core'
import type { PlatformError, Received } from '@petstore-platform/contract/platform/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { query } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { Loaded } from '../ui/states.tsx'
import { INVITATION_PATH } from './invitation-secret.ts'
import { NewAccountForm } from './new-account-form.tsx'

const words = texts.account.invitation

type JoinProps = {
  secret: string
  invitation: Received<'getInvitation'>
  onJoined: () => Promise<void>
  onUnusable: (error: PlatformError) => void
}

export function Join({ secret, invitation: { isMailed, email }, onJoined, onUnusable }: JoinProps) {
  const installation = useQuery(query('getSignUp'))
  return (
    <Loaded from={installation}>
      {({ mode, sendsMail }) => {
        if (mode === 'closed') return <SignInOnly />
        // An invitation from before the installation had mail proves no address.
        if (sendsMail && !isMailed) return <MailFirst />
        return (
          <>
            <NewAccountForm
              secret={secret}
              title={words.newTitle}
              help={isMailed ? words.emailGiven(email) : undefined}
              action={words.create}
              email={isMailed ? undefined : email}
              onDone={() => void onJoined()}
              onUnusable={onUnusable}
            />
            <p className="plain quiet small">
              {words.hasAccount}{' '}
              <Link to="/sign-in" search={{ next: INVITATION_PATH }}>
                {words.signIn}
              </Link>
            </p>
          </>
        )
      }}
    </Loaded>
  )
}

const SignInOnly = () => (
  <div className="stack">
    <p className="account-text">{words.signInFirst}</p>
    <SignIn isFilled />
  </div>
)

const MailFirst = () => (
  <div className="stack">
    <p className="account-text">{words.mailFirst}</p>
    <Button renderRoot={(props) => <Link to="/sign-up" {...props} />}>{words.signUp}</Button>
    <SignIn />
  </div>
)

const SignIn = ({ isFilled = false }: { isFilled?: boolean }) => (
  <Button
    {...(!isFilled && { variant: 'default' })}
    renderRoot={(props) => <Link to="/sign-in" search={{ next: INVITATION_PATH }} {...props} />}
  >
    {words.signIn}
  </Button>
)
