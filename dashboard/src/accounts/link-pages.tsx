// Pages that are opened by a link in a mail and do one thing: secure the account, confirm an address, or undo its
// change. Nothing happens until the person presses the button, because programs that check mails for viruses open links.

import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { queryClient, useAction } from '../api.ts'
import { OpenPage } from '../shell/top-bar.tsx'
import { texts } from '../texts/texts.ts'
import { Page } from '../ui/page.tsx'
import './accounts.css'
import { wordsFor } from '../ui/field-errors.ts'
import { FormError } from '../ui/form-error.tsx'
import { isUnusable, useLinkSecret } from './link-secret.ts'
import { useStep } from '../ui/use-step.ts'

type Step = 'ask' | 'done' | 'unusable'

type LinkPageProps = {
  path: '/secure' | '/confirm-email' | '/undo-email'
  operation: 'secureAccount' | 'confirmEmailChange' | 'undoEmailChange'
  words: {
    ask: { title: string; lead: string; ends: string; does: string }
    done: { title: string; lead: string; next: string; again: string }
    unusable: { title: string; lead: string; next: string; again: string }
  }
  /** Where the person goes on. */
  next: Record<Exclude<Step, 'ask'>, '/recovery' | '/account'>
}

function LinkPage({ path, operation, words, next }: LinkPageProps) {
  const [step, setStep] = useStep<Step>('ask')
  const [fault, setFault] = useState<string>()
  const secret = useLinkSecret(path, () => setStep('ask'))
  const act = useAction(operation, {
    onDone: () => {
      // A session of this browser may have ended, and what it knows of the account is out of date.
      queryClient.clear()
      setStep('done')
    },
    onRefused: (error) => {
      if (isUnusable(error)) setStep('unusable')
      else setFault(wordsFor(error))
      return true
    },
  })
  const shown = secret === '' ? 'unusable' : step
  return (
    <OpenPage>
      <Page title={words[shown].title} lead={words[shown].lead}>
        <div className="card stack entry">
          {shown === 'ask' ? (
            <>
              <p className="account-text">{words.ask.ends}</p>
              <FormError words={fault} />
              <Button loading={act.isPending} onClick={() => act.mutate({ body: { secret } })}>
                {words.ask.does}
              </Button>
            </>
          ) : (
            <>
              <p className="account-text">{words[shown].next}</p>
              <Button variant="default" renderRoot={(props) => <Link to={next[shown]} {...props} />}>
                {words[shown].again}
              </Button>
            </>
          )}
        </div>
      </Page>
    </OpenPage>
  )
}

export const SecurePage = () => (
  <LinkPage
    path="/secure"
    operation="secureAccount"
    words={texts.account.secure}
    next={{ done: '/recovery', unusable: '/recovery' }}
  />
)

export const ConfirmEmailPage = () => (
  <LinkPage
    path="/confirm-email"
    operation="confirmEmailChange"
    words={texts.account.confirmEmail}
    next={{ done: '/account', unusable: '/account' }}
  />
)

export const UndoEmailPage = () => (
  <LinkPage
    path="/undo-email"
    operation="undoEmailChange"
    words={texts.account.undoEmail}
    next={{ done: '/recovery', unusable: '/recovery' }}
  />
)
