// Offers a link that signs in, where the service accepts no password for a while. Shown only if the installation sends
// mail: otherwise its operator helps.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query, useAction } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { wordsFor } from '../ui/field-errors.ts'
import { FormError } from '../ui/form-error.tsx'
import { SendAgain } from './send-again.tsx'

const words = texts.signInLink

export function SignInLinkOffer({ email }: { email: string }) {
  const installation = useQuery(query('getSignUp'))
  const [fault, setFault] = useState<string>()
  const [sentTo, setSentTo] = useState<string>()
  const request = useAction('requestSignInLink', {
    onDone: () => setSentTo(email),
    onRefused: (error) => {
      setFault(wordsFor(error))
      return true
    },
  })
  if (!installation.data) return null
  if (!installation.data.sendsMail) return <p className="plain quiet small">{words.withoutMail}</p>
  const send = () => {
    setFault(undefined)
    request.mutate({ body: { email } })
  }
  return (
    <>
      <div role="status" className="said">
        {sentTo !== undefined && <div className="note">{words.sent(sentTo)}</div>}
      </div>
      <FormError message={fault} />
      {sentTo === email ? (
        <SendAgain key={email} operation="requestSignInLink" email={email} sent={words.again} held={words.held} />
      ) : (
        <Button size="lg" onClick={send} loading={request.isPending} fullWidth>
          {words.request}
        </Button>
      )}
    </>
  )
}
