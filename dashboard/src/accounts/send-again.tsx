// Requests a mailed link once more, and says what comes of it: the response of the server is the same for every address,
// so the words follow from its rules, never from whether there is an account.

import { Button } from '@mantine/core'
import type { RECOVERY_MINUTES } from '@petstore-platform/contract/platform/recovery'
import type { SIGN_IN_LINK_MINUTES } from '@petstore-platform/contract/platform/sign-in-links'
import { useState } from 'react'
import { useAction } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { wordsFor } from '../ui/field-errors.ts'
import { FormError } from '../ui/form-error.tsx'
import { heldUntil } from './held-until.ts'

type LinkRequest = 'requestSignUp' | 'requestRecovery' | 'requestSignInLink'

/** For how many minutes a link keeps another from being mailed. Those to sign up are limited by their number. */
const minutesOf = {
  requestSignUp: 0,
  requestRecovery: 30 satisfies typeof RECOVERY_MINUTES,
  requestSignInLink: 15 satisfies typeof SIGN_IN_LINK_MINUTES,
} as const satisfies Record<LinkRequest, number>

type SendAgainProps = {
  operation: LinkRequest
  email: string
  sent: (email: string) => string
  held?: (email: string, time: string) => string
}

/** Shown once a first request has been accepted. */
export function SendAgain({ operation, email, sent, held }: SendAgainProps) {
  const [requestedAt, setRequestedAt] = useState(() => Date.now())
  const [answer, setAnswer] = useState<string>()
  const [fault, setFault] = useState<string>()
  const request = useAction(operation, {
    onDone: () => {
      const now = Date.now()
      const until = heldUntil({ requestedAt, minutes: minutesOf[operation] }, now)
      if (until === undefined) setRequestedAt(now)
      setAnswer(until !== undefined && held ? held(email, timeOf(until)) : sent(email))
    },
    onRefused: (error) => {
      setFault(wordsFor(error))
      return true
    },
  })
  const send = () => {
    // Gone in between, so that the same words are read out again.
    setAnswer(undefined)
    setFault(undefined)
    request.mutate({ body: { email } })
  }
  return (
    <>
      <div role="status" className="said">
        {answer !== undefined && <div className="note">{answer}</div>}
      </div>
      <FormError message={fault} />
      <Button variant="default" onClick={send} loading={request.isPending} fullWidth>
        {texts.account.sendAgain}
      </Button>
    </>
  )
}

const timeOf = (at: number) => new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
