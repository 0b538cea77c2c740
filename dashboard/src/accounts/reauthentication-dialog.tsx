// The dialog in which a person confirms their identity, with the password or a passkey. The request that needed
// it is then repeated; cancelling leaves the page as it was.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FingerprintPattern, ShieldCheck } from 'lucide-react'
import { useEffect, useState, type SyntheticEvent } from 'react'
import { query, useAction } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Glyph } from '../ui/glyph.tsx'
import { Icon } from '../ui/icon.tsx'
import { OrCancel } from '../ui/with-cancel.tsx'
import './accounts.css'
import { faultsFrom, isFaulty, missingIn } from '../ui/field-errors.ts'
import { FormError } from '../ui/form-error.tsx'
import { cancelPasskeyRequest, hasPasskeys } from './passkey.ts'
import { PasswordField } from './password-field.tsx'
import { answerQuestion, forgetQuestion, type Question } from './reauthentication.ts'
import { useFaults } from '../ui/use-field-errors.ts'
import { usePasskeyAnswer } from './use-passkey-answer.ts'

const words = texts.account.reauthentication

const confirmed = () => answerQuestion(true)
const cancel = () => answerQuestion(false)

export const ReauthenticationDialog = ({ question: { isOpen, opener } }: { question: Question }) => (
  <Dialog title={words.title} isOpen={isOpen} onClose={cancel} onGone={forgetQuestion} openedBy={opener}>
    <Proof />
  </Dialog>
)

function Proof() {
  const account = useQuery(query('getAccount'))
  const [password, setPassword] = useState('')
  const { form, faults, show } = useFaults<'password'>()
  const confirm = useAction('reauthenticate', {
    onDone: confirmed,
    onRefused: (error) => {
      show(faultsFrom(error, ['password']))
      return true
    },
  })
  const passkey = usePasskeyAnswer({
    to: 'reauthenticateWithPasskey',
    onDone: confirmed,
    onFailed: (said) => show({ form: said }),
  })
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const found = missingIn({ password })
    show(found)
    if (!isFaulty(found)) confirm.mutate({ body: { password } })
  }
  // The browser asks no longer than this dialog does.
  useEffect(() => {
    if (!passkey.isAsking) return
    return () => void cancelPasskeyRequest()
  }, [passkey.isAsking])
  return (
    <form ref={form} className="stack" onSubmit={send} aria-label={words.title} noValidate>
      <div className="row whole">
        <Glyph of={ShieldCheck} />
        <p className="plain grow">{words.lead}</p>
      </div>
      {/* For password managers: the account. */}
      <input type="text" autoComplete="username" value={account.data?.email ?? ''} readOnly hidden />
      <PasswordField
        label={texts.account.password}
        value={password}
        onChange={setPassword}
        error={faults.password}
        isFirst
      />
      <FormError message={faults.form} />
      <OrCancel onCancel={cancel}>
        <Button type="submit" loading={confirm.isPending}>
          {words.action}
        </Button>
        {hasPasskeys() && (
          <Button
            variant="light"
            leftSection={<Icon of={FingerprintPattern} size={18} />}
            onClick={() => void passkey.choose()}
            loading={passkey.isAsking}
          >
            {words.withPasskey}
          </Button>
        )}
      </OrCancel>
    </form>
  )
}
