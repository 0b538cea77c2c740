// Pages that are opened by a link in a mail and do one thing: secure the account, confirm an address, or undo its
// change.

import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CircleCheck, MailCheck, ShieldCheck, Undo2, Unlink, type LucideIcon } from 'lucide-react'
import { queryClient } from '../api.ts'
import { OpenPage } from '../shell/top-bar.tsx'
import * as texts from '../texts/texts.ts'
import { Glyph } from '../ui/glyph.tsx'
import { Page } from '../ui/page.tsx'
import './accounts.css'
import { FormError } from '../ui/form-error.tsx'
import { useLinkAction, type LinkOperation, type LinkStep } from './use-link-action.ts'

type LinkPageProps = {
  operation: Exclude<LinkOperation, 'signInWithLink'>
  words: {
    ask: { title: string; lead: string; ends: string; action: string }
    done: { title: string; lead: string; next: string; again: string }
    unusable: { title: string; lead: string; next: string; again: string }
  }
  icon: LucideIcon
  /** Where the person goes on. */
  next: Record<Exclude<LinkStep, 'ask'>, '/recovery' | '/account'>
}

function LinkPage({ operation, words, icon, next }: LinkPageProps) {
  // A session of this browser may have ended, and what it knows of the account is out of date.
  const { step, fault, isPending, act } = useLinkAction(operation, () => queryClient.clear())
  return (
    <OpenPage>
      <Page back={<Sign of={icon} step={step} />} title={words[step].title} lead={words[step].lead}>
        <div className="card stack entry">
          {step === 'ask' ? (
            <>
              <p className="account-text">{words.ask.ends}</p>
              <FormError message={fault} />
              <Button loading={isPending} onClick={act}>
                {words.ask.action}
              </Button>
            </>
          ) : (
            <>
              <p className="account-text">{words[step].next}</p>
              <Button variant="default" renderRoot={(props) => <Link to={next[step]} {...props} />}>
                {words[step].again}
              </Button>
            </>
          )}
        </div>
      </Page>
    </OpenPage>
  )
}

/** What the link is about, and then how it went. */
const Sign = ({ of, step }: { of: LucideIcon; step: LinkStep }) => {
  if (step === 'unusable') return <Glyph of={Unlink} tone="warn" />
  return <Glyph of={step === 'done' ? CircleCheck : of} />
}

export const SecurePage = () => (
  <LinkPage
    operation="secureAccount"
    words={texts.account.secure}
    icon={ShieldCheck}
    next={{ done: '/recovery', unusable: '/recovery' }}
  />
)

export const ConfirmEmailPage = () => (
  <LinkPage
    operation="confirmEmailChange"
    words={texts.account.confirmEmail}
    icon={MailCheck}
    next={{ done: '/account', unusable: '/account' }}
  />
)

export const UndoEmailPage = () => (
  <LinkPage
    operation="undoEmailChange"
    words={texts.account.undoEmail}
    icon={Undo2}
    next={{ done: '/recovery', unusable: '/recovery' }}
  />
)
