// Signs in with a passkey: by the button, or by choosing one that the browser offers at
// the email field. A challenge is valid for five minutes only, so the offer is renewed
// before that; a failure to offer one is not shown, since the button is there.

import { NoAnswer, PlatformError, type Received } from '@petstore/contract/platform/client'
import type { CHALLENGE_SECONDS } from '@petstore/contract/platform/passkeys'
import { useEffect, useEffectEvent, useReducer, useState } from 'react'
import { query, queryClient, useAction } from '../api.ts'
import { requestPasskey, canOffer, failureOf, cancelPasskeyRequest } from './passkey.ts'
import { texts } from '../texts/texts.ts'
import { wordsFor } from './field-errors.ts'

const SECONDS: typeof CHALLENGE_SECONDS = 300
const RENEW_MS = (SECONDS - 60) * 1000
const { passkeys: words } = texts.account

export function usePasskeySignIn(onEntered: () => void, onFailed: (words: string) => void) {
  const [isAsking, setAsking] = useState(false)
  const [round, again] = useReducer((count: number) => count + 1, 0)
  const refused = {
    onRefused: (error: PlatformError) => {
      onFailed(error.code === 'passkeys_unavailable' ? words.unavailableWhy : wordsFor(error))
      return true
    },
  }
  const prepare = useAction('prepareSignIn', refused)
  const enter = useAction('signInWithPasskey', { ...refused, onDone: onEntered })
  const answer = ({ challengeId, options }: Received<'prepareSignIn'>, isOffered: boolean) =>
    requestPasskey(options, isOffered).then((response) => enter.mutateAsync({ body: { challengeId, response } }))

  const choose = async () => {
    setAsking(true)
    try {
      await answer(await prepare.mutateAsync({}), false)
    } catch (error) {
      // The refusal of the server has been shown already.
      if (!(error instanceof PlatformError || error instanceof NoAnswer)) onFailed(words.failures[failureOf(error)])
      again()
    }
    setAsking(false)
  }

  const offered = useEffectEvent((asked: Received<'prepareSignIn'>) => answer(asked, true))
  useEffect(() => {
    let isLeft = false
    const offer = async () => {
      if (!(await canOffer()) || isLeft) return
      const asked = await queryClient.fetchQuery({ ...query('prepareSignIn'), staleTime: 0, gcTime: 0 })
      if (!isLeft) await offered(asked)
    }
    offer().catch(() => undefined)
    const timer = setTimeout(again, RENEW_MS)
    return () => {
      isLeft = true
      clearTimeout(timer)
      void cancelPasskeyRequest()
    }
  }, [round])

  return { choose: () => void choose(), isAsking }
}
