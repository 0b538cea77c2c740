// Creates a token: its purpose, access and lifetime, and then the token, once. Only this page
// holds it, and it is gone with the page.

import { Button, NativeSelect } from '@mantine/core'
import type { Received } from '@petstore-platform/contract/platform/client'
import { useState, type SyntheticEvent } from 'react'
import { useAction } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { Copy } from '../ui/copy.tsx'
import { takeFocus } from '../ui/focus.ts'
import { LabelField } from '../ui/label-field.tsx'
import { OrCancel } from '../ui/with-cancel.tsx'
import { faultsFrom, isFaulty, missingIn } from '../ui/field-errors.ts'
import { FormError } from '../ui/form-error.tsx'
import { useFaults } from '../ui/use-field-errors.ts'
import { scopesOf, type TokenAccess } from './token-access.ts'

const words = texts.account.tokens
const DAYS_AT_FIRST = '90'
const accesses = (['read', 'full'] as const).map((value) => ({ value, label: words.accesses[value] }))
const dayCounts = Object.entries(words.dayCounts).map(([value, label]) => ({ value, label }))

export type Fresh = Received<'createAccessToken'>

export function NewToken({ onMade, onClose }: { onMade: (token: Fresh) => void; onClose: () => void }) {
  const [label, setLabel] = useState('')
  const [access, setAccess] = useState<TokenAccess>('read')
  const [days, setDays] = useState(DAYS_AT_FIRST)
  const { form, faults, show } = useFaults<'label' | 'scopes' | 'expiresInDays'>()
  const make = useAction('createAccessToken', {
    renews: ['listAccessTokens', 'listAccountEvents'],
    onDone: onMade,
    onRefused: (error) => {
      show(faultsFrom(error, ['label', 'scopes', 'expiresInDays']))
      return true
    },
  })
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const found = missingIn({ label })
    show(found)
    if (isFaulty(found)) return
    make.mutate({ body: { label: label.trim(), scopes: scopesOf(access), expiresInDays: Number(days) } })
  }
  return (
    <form ref={form} className="stack account-new" onSubmit={send} aria-label={words.make} noValidate>
      <div className="stack account-form">
        <LabelField words={words} value={label} onChange={setLabel} error={faults.label} />
        <NativeSelect
          label={words.columns.access}
          value={access}
          onChange={({ currentTarget }) => setAccess(currentTarget.value as TokenAccess)}
          data={accesses}
          error={faults.scopes}
        />
        <NativeSelect
          label={words.days}
          value={days}
          onChange={({ currentTarget }) => setDays(currentTarget.value)}
          data={dayCounts}
          error={faults.expiresInDays}
        />
        <FormError message={faults.form} />
      </div>
      <OrCancel onCancel={onClose}>
        <Button type="submit" loading={make.isPending}>
          {words.action}
        </Button>
      </OrCancel>
    </form>
  )
}

export const FreshToken = ({ token: { label, token }, onClose }: { token: Fresh; onClose: () => void }) => (
  <div className="note good stack" role="group" aria-label={words.fresh(label)} tabIndex={-1} ref={takeFocus}>
    <h3>{words.fresh(label)}</h3>
    <p className="account-text">{words.once}</p>
    <div className="mono fresh-token">{token}</div>
    <div className="row">
      <Copy value={token} what={words.what} />
      <Button size="compact-sm" variant="default" onClick={onClose}>
        {words.kept}
      </Button>
    </div>
  </div>
)
