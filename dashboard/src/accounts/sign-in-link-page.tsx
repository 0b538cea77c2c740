// Opened by a mailed link that signs in.

import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { KeyRound, Unlink } from 'lucide-react'
import { OpenPage } from '../shell/top-bar.tsx'
import * as texts from '../texts/texts.ts'
import { FormError } from '../ui/form-error.tsx'
import { Glyph } from '../ui/glyph.tsx'
import { Page } from '../ui/page.tsx'
import './accounts.css'
import { useEntering } from './after-sign-in.ts'
import { useLinkAction } from './use-link-action.ts'

const words = texts.signInLink

export function SignInLinkPage() {
  const { step, fault, isPending, act } = useLinkAction('signInWithLink', useEntering(undefined))
  // The page of the account follows at once.
  const shown = step === 'unusable' ? step : 'ask'
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
              <FormError message={fault} />
              <Button loading={isPending} onClick={act}>
                {words.ask.action}
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
