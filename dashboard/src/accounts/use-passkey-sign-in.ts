// Signs in with a passkey: by the button, or by choosing one that the browser offers at
// the email field. A challenge is valid for five minutes only, so the offer is renewed
// before that; a failure to offer one is not shown, since the button is there.

import type { Received } from '@petstore-platform/contract/platform/client'
import type { CHALLENGE_SECONDS } from '@petstore-platform/contract/platform/passkeys'
import { useEffect, useEffectEvent, useReducer } from 'react'
import { query, queryClient } from '../api.ts'
import { canOffer, cancelPasskeyRequest } from './passkey.ts'
import { usePasskeyAnswer } from './use-passkey-answer.ts'

const SECONDS: typeof CHALLENGE_SECONDS = 300
const RENEW_MS = (SECONDS - 60) * 1000

export function usePasskeySignIn(onEntered: () => void, onFailed: (words: string) => void) {
  const [round, again] = useReducer((count: number) => count + 1, 0)
  const { answer, choose, isAsking } = usePasskeyAnswer({ to: 'signInWithPasskey', onDone: onEntered, onFailed })

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

  return { choose: () => void choose().then((isDone) => isDone || again()), isAsking }
}
