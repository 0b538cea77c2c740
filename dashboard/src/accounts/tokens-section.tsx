// Personal access tokens: the list, and a new one, which is shown until the person
// confirms that it was copied.

import { Button } from '@mantine/core'
import type { Received } from '@petstore-platform/contract/platform/client'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { query, useAction } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { notify } from '../ui/toasts.ts'
import { Icon } from '../ui/icon.tsx'
import { Part } from './account-part.tsx'
import { FreshToken, NewToken, type Fresh } from './new-token.tsx'
import { RemovableItems, removesFrom, useRemoval } from './removable-list.tsx'
import { TokensList } from './tokens-list.tsx'

const words = texts.account.tokens
type Token = Received<'listAccessTokens'>[number]

export function TokensSection() {
  const tokens = useQuery(query('listAccessTokens'))
  const [open, setOpen] = useState<'form' | Fresh>()
  const opener = useRef<HTMLButtonElement>(null)
  const removal = useRemoval<Token>()
  const revoke = useAction('revokeAccessToken', removesFrom('listAccessTokens'))
  const close = () => {
    // The button can take the keyboard only when it is enabled again.
    flushSync(() => setOpen(undefined))
    opener.current?.focus()
  }
  const removeItem = async ({ id, label }: Token) => {
    await revoke.mutateAsync({ tokenId: id })
    notify({ message: words.revoked(label) })
  }
  return (
    <Part
      title={words.title}
      lead={words.lead}
      actions={
        <Button
          ref={opener}
          variant="default"
          leftSection={<Icon of={Plus} size={16} />}
          onClick={() => setOpen('form')}
          disabled={open !== undefined}
        >
          {words.make}
        </Button>
      }
    >
      {open === 'form' && <NewToken onMade={setOpen} onClose={close} />}
      {open !== undefined && open !== 'form' && <FreshToken token={open} onClose={close} />}
      <RemovableItems
        from={tokens}
        of={removal}
        words={words}
        action={words.revoke}
        remove={removeItem}
        isBusy={revoke.isPending}
      >
        {(list) => <TokensList list={list} onRevoke={removal.ask} />}
      </RemovableItems>
    </Part>
  )
}
