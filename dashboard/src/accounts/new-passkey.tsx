// Adds a passkey: the person names it, the browser creates it, the server stores it.
// Every failure on the way is shown here, and the name stays.

import { Button } from '@mantine/core'
import { NoAnswer, PlatformError } from '@petstore-platform/contract/platform/client'
import { useState, type SyntheticEvent } from 'react'
import { useAction } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { LabelField } from '../ui/label-field.tsx'
import { notify } from '../ui/toasts.ts'
import { failureOf, makePasskey } from './passkey.ts'
import { faultsFrom, isFaulty, missingIn } from '../ui/field-errors.ts'
import { FormError } from '../ui/form-error.tsx'
import { useFaults } from '../ui/use-field-errors.ts'

const words = texts.account.passkeys

export function NewPasskey({ onClose }: { onClose: () => void }) {
  const [label, setLabel] = useState('')
  const { form, faults, show } = useFaults<'label'>()
  const [isUnavailable, setUnavailable] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const refused = {
    onRefused: (error: PlatformError) => {
      if (error.code === 'passkeys_unavailable') setUnavailable(true)
      else show(faultsFrom(error, ['label']))
      return true
    },
  }
  const prepare = useAction('preparePasskey', refused)
  const add = useAction('addPasskey', { renews: ['listPasskeys', 'listAccountEvents'], ...refused })

  const make = async () => {
    setBusy(true)
    try {
      const { options } = await prepare.mutateAsync({})
      const made = await add.mutateAsync({ body: { label: label.trim(), response: await makePasskey(options) } })
      notify({ message: words.added(made.label) })
      onClose()
    } catch (error) {
      setBusy(false)
      // The refusal of the server has been shown already.
      if (error instanceof PlatformError || error instanceof NoAnswer) return
      show({ form: words.failures[failureOf(error)] })
    }
  }
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const found = missingIn({ label })
    show(found)
    if (!isFaulty(found)) void make()
  }
  return (
    <form ref={form} className="stack account-new" onSubmit={send} aria-label={words.add} noValidate>
      {isUnavailable ? (
        <div className="note warn" role="alert">
          <strong>{words.unavailable}.</strong> {words.unavailableWhy}
        </div>
      ) : (
        <div className="stack account-form">
          <LabelField words={words} value={label} onChange={setLabel} error={faults.label} />
          <p className="account-text quiet small">{words.next}</p>
          <FormError message={faults.form} />
        </div>
      )}
      <div className="row">
        {!isUnavailable && (
          <Button type="submit" loading={isBusy}>
            {words.action}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {isUnavailable ? texts.common.close : texts.common.cancel}
        </Button>
      </div>
    </form>
  )
}
