// Pages that are opened by a link in a mail and do one thing: secure the account, confirm an address, or undo its
// change. Nothing happens until the person presses the button, because programs that check mails for viruses open links.

import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CircleCheck, MailCheck, ShieldCheck, Undo2, Unlink, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { queryClient, useAction } from '../api.ts'
import { OpenPage } from '../shell/top-bar.tsx'
import * as texts from '../texts/texts.ts'
import { Glyph } from '../ui/glyph.tsx'
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
  icon: LucideIcon
  /** Where the person goes on. */
  next: Record<Exclude<Step, 'ask'>, '/recovery' | '/account'>
}

function LinkPage({ path, operation, words, icon, next }: LinkPageProps) {
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
      <Page back={<Sign of={icon} step={shown} />} title={words[shown].title} lead={words[shown].lead}>
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

/** What the link is about, and then how it went. */
const Sign = ({ of, step }: { of: LucideIcon; step: Step }) => {
  if (step === 'unusable') return <Glyph of={Unlink} tone="warn" />
  return <Glyph of={step === 'done' ? CircleCheck : of} />
}

export const SecurePage = () => (
  <LinkPage
    path="/secure"
    operation="secureAccount"
    words={texts.account.secure}
    icon={ShieldCheck}
    next={{ done: '/recovery', unusable: '/recovery' }}
  />
)

export const ConfirmEmailPage = () => (
  <LinkPage
    path="/confirm-email"
    operation="confirmEmailChange"
    words={texts.account.confirmEmail}
    icon={MailCheck}
    next={{ done: '/account', unusable: '/account' }}
  />
)

export const UndoEmailPage = () => (
  <LinkPage
    path="/undo-email"
    operation="undoEmailChange"
    words={texts.account.undoEmail}
    icon={Undo2}
    next={{ done: '/recovery', unusable: '/recovery' }}
  />
)
