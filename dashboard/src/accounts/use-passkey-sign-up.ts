// Creates an account that is signed in to with a passkey: its password is generated. Should the passkey fail once the
// account exists, the page shows the password, which is then the only way in.

import type { PlatformError } from '@petstore-platform/contract/platform/client'
import { useState } from 'react'
import { useAction } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { makePasskey } from './passkey.ts'
import { newPassphrase } from './passphrase.ts'

type Details = { secret: string; name: string; email?: string }

type PasskeySignUpOptions = {
  onDone: () => void
  /** The account was not created. */
  onRefused: (error: PlatformError) => void
}

export function usePasskeySignUp({ onDone, onRefused }: PasskeySignUpOptions) {
  const [isBusy, setBusy] = useState(false)
  const [password, setPassword] = useState<string>()
  const signUp = useAction('signUp', {
    onRefused: (error) => {
      onRefused(error)
      return true
    },
  })
  // A failure of these is shown by the password, whatever its cause.
  const shown = { onRefused: () => true }
  const prepare = useAction('preparePasskey', shown)
  const add = useAction('addPasskey', shown)

  const begin = async (details: Details) => {
    setBusy(true)
    const generated = newPassphrase()
    const isCreated = await signUp.mutateAsync({ body: { ...details, password: generated } }).then(
      () => true,
      () => false,
    )
    if (!isCreated) {
      setBusy(false)
      return
    }
    try {
      const { options } = await prepare.mutateAsync({})
      const response = await makePasskey(options)
      await add.mutateAsync({ body: { label: texts.account.signUp.passkeyLabel, response } })
      onDone()
    } catch {
      setPassword(generated)
    } finally {
      setBusy(false)
    }
  }
  /** `password`: of the account that was created without its passkey. */
  return { begin: (details: Details) => void begin(details), isBusy, password }
}
