// Opened by a mailed link that signs in. Nothing happens until the person presses the button, because programs that
// check mails for viruses open links.

import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { KeyRound, Unlink } from 'lucide-react'
import { useState } from 'react'
import { useAction } from '../api.ts'
import { OpenPage } from '../shell/top-bar.tsx'
import * as texts from '../texts/texts.ts'
import { wordsFor } from '../ui/field-errors.ts'
import { FormError } from '../ui/form-error.tsx'
import { Glyph } from '../ui/glyph.tsx'
import { Page } from '../ui/page.tsx'
import { useStep } from '../ui/use-step.ts'
import './accounts.css'
import { useEntering } from './after-sign-in.ts'
import { isUnusable, useLinkSecret } from './link-secret.ts'

const words = texts.signInLink

export function SignInLinkPage() {
  const [step, setStep] = useStep<'ask' | 'unusable'>('ask')
  const [fault, setFault] = useState<string>()
  const secret = useLinkSecret('/sign-in-link', () => setStep('ask'))
  const signIn = useAction('signInWithLink', {
    onDone: useEntering(undefined),
    onRefused: (error) => {
      if (isUnusable(error)) setStep('unusable')
      else setFault(wordsFor(error))
      return true
    },
  })
  const shown = secret === '' ? 'unusable' : step
  return (
    <OpenPage>
      <Page
        back={<Glyph of={shown === 'ask' ? KeyRound : Unlink} tone={shown === 'ask' ? 'good' : 'warn'} />}
        title={words[shown].title}
        lead={words[shown].lead}
      >
        <div className="card stack entry">
          {shown === 'ask' ? (
            <>
              <FormError words={fault} />
              <Button loading={signIn.isPending} onClick={() => signIn.mutate({ body: { secret } })}>
                {words.ask.does}
              </Button>
            </>
          ) : (
            <Button variant="default" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
              {words.unusable.again}
            </Button>
          )}
        </div>
      </Page>
    </OpenPage>
  )
}
