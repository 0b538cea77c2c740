// The passkeys of the person: list, add, remove.

import { Button } from '@mantine/core'
import type { Received } from '@petstore-platform/contract/platform/client'
import { useQuery } from '@tanstack/react-query'
import { FingerprintPattern, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { query, useAction } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { notify } from '../ui/toasts.ts'
import { Icon } from '../ui/icon.tsx'
import { ListHead } from '../ui/list-head.tsx'
import { Named, Part } from './account-part.tsx'
import { Time } from '../ui/time.tsx'
import { hasPasskeys } from './passkey.ts'
import { NewPasskey } from './new-passkey.tsx'
import { RemovableItems, removesFrom, useRemoval } from './removable-list.tsx'

const words = texts.account.passkeys
const { columns } = words
type Passkey = Received<'listPasskeys'>[number]

export function PasskeysSection() {
  const passkeys = useQuery(query('listPasskeys'))
  const [isAdding, setAdding] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const removal = useRemoval<Passkey>()
  const remove = useAction('removePasskey', removesFrom('listPasskeys'))
  const close = () => {
    setAdding(false)
    opener.current?.focus()
  }
  const removeItem = async ({ id, label }: Passkey) => {
    await remove.mutateAsync({ passkeyId: id })
    notify({ message: words.removed(label) })
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
          onClick={() => setAdding(true)}
          disabled={!hasPasskeys()}
        >
          {words.add}
        </Button>
      }
    >
      {!hasPasskeys() && <div className="note warn">{words.unsupported}</div>}
      {isAdding && <NewPasskey onClose={close} />}
      <RemovableItems
        from={passkeys}
        of={removal}
        words={words}
        action={words.remove}
        remove={removeItem}
        isBusy={remove.isPending}
      >
        {(list) => <List list={list} onRemove={removal.ask} />}
      </RemovableItems>
    </Part>
  )
}

const List = ({ list, onRemove }: { list: readonly Passkey[]; onRemove: (passkey: Passkey) => void }) => (
  <table className="list">
    <ListHead columns={[columns.label, columns.made, columns.used]} actions={texts.account.actions} />
    <tbody>
      {list.map((passkey) => (
        <tr key={passkey.id}>
          <td>
            <Named of={FingerprintPattern}>{passkey.label}</Named>
          </td>
          <td data-label={columns.made}>
            <Time at={passkey.createdAt} />
          </td>
          <td data-label={columns.used}>
            <Time at={passkey.lastUsedAt} />
          </td>
          <td>
            <Button
              size="compact-sm"
              variant="default"
              data-tone="danger"
              onClick={() => onRemove(passkey)}
              aria-label={words.removeOf(passkey.label)}
            >
              {words.remove}
            </Button>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
