// Presents a passkey to the server: the browser answers a challenge of the server, and the answer is sent to sign
// in or to re-authenticate. Every failure on the way is shown by the page, in words.

import { NoAnswer, PlatformError, type Received } from '@petstore-platform/contract/platform/client'
import { useState } from 'react'
import { useAction } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { wordsFor } from '../ui/field-errors.ts'
import { failureOf, requestPasskey } from './passkey.ts'

const { passkeys: words } = texts.account

type PasskeyAnswerOptions = {
  to: 'signInWithPasskey' | 'reauthenticateWithPasskey'
  onDone: () => void
  onFailed: (words: string) => void
}

export function usePasskeyAnswer({ to, onDone, onFailed }: PasskeyAnswerOptions) {
  const [isAsking, setAsking] = useState(false)
  const refused = {
    onRefused: (error: PlatformError) => {
      onFailed(error.code === 'passkeys_unavailable' ? words.unavailableWhy : wordsFor(error))
      return true
    },
  }
  const prepare = useAction('prepareSignIn', refused)
  const send = useAction(to, { ...refused, onDone })
  const answer = ({ challengeId, options }: Received<'prepareSignIn'>, isOffered: boolean) =>
    requestPasskey(options, isOffered).then((response) => send.mutateAsync({ body: { challengeId, response } }))

  /** False if it failed. */
  const choose = async (): Promise<boolean> => {
    setAsking(true)
    try {
      await answer(await prepare.mutateAsync({}), false)
      return true
    } catch (error) {
      // The refusal of the server has been shown already.
      if (!(error instanceof PlatformError || error instanceof NoAnswer)) onFailed(words.failures[failureOf(error)])
      return false
    } finally {
      setAsking(false)
    }
  }
  return { answer, choose, isAsking }
}
