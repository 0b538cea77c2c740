// The keys: those that work, and folded away those that have ended. A key is revoked
// after a question; afterwards the keyboard is at the list.

import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { query, useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Confirm } from '../ui/confirm.tsx'
import type { DialogProps } from '../ui/dialog.tsx'
import { useLasting } from '../ui/lasting.ts'
import { notify } from '../ui/toasts.ts'
import { useNow } from '../ui/now.ts'
import { Empty } from '../ui/states.tsx'
import { KeyCard } from './key-card.tsx'
import { displayOf, isOfFormerMember, keyStatusOf, type Key } from './views.ts'

const words = texts.keys
const LOOK_EVERY_MS = 5000

type ListsProps = { keys: readonly Key[]; onReplace: (key: Key) => void }

export function KeyLists({ keys, onReplace }: ListsProps) {
  const { slug, mayEdit } = useProject()
  const members = useQuery(query('listMembers', { project: slug }))
  const now = useNow(LOOK_EVERY_MS)
  const [revoking, setRevoking] = useState<Key>()
  const list = useRef<HTMLDivElement>(null)
  const all = keys.map((key) => ({
    key,
    standing: keyStatusOf(key, now),
    isOfFormer: isOfFormerMember(key, members.data),
  }))
  const working = all.filter(({ standing }) => standing === 'accepted')
  const ended = all.filter(({ standing }) => standing !== 'accepted')
  if (all.length === 0) {
    return (
      <Empty of="animals" title={words.noneTitle}>
        <p className="key-text quiet">{mayEdit ? words.noneText : words.noneViewer}</p>
      </Empty>
    )
  }
  return (
    <div ref={list} tabIndex={-1} className="stack key-list" role="group" aria-label={words.title}>
      {working.length === 0 && <p className="key-text quiet">{words.noneWorks}</p>}
      {working.length > 0 && (
        <ul className="stack key-items" aria-label={words.listLabel}>
          {working.map(({ key, standing, isOfFormer }) => (
            <KeyCard
              key={key.id}
              of={key}
              standing={standing}
              isOfFormerMember={isOfFormer}
              onReplace={onReplace}
              onRevoke={setRevoking}
            />
          ))}
        </ul>
      )}
      {ended.length > 0 && (
        <details>
          <summary>{words.ended(ended.length)}</summary>
          <ul className="stack key-items key-ended" aria-label={words.ended(ended.length)}>
            {ended.map(({ key, standing, isOfFormer }) => (
              <KeyCard key={key.id} of={key} standing={standing} isOfFormerMember={isOfFormer} />
            ))}
          </ul>
        </details>
      )}
      <RevokeQuestion revoking={revoking} onClose={() => setRevoking(undefined)} backTo={list} />
    </div>
  )
}

type QuestionProps = Pick<DialogProps, 'onClose' | 'backTo'> & { revoking: Key | undefined }

function RevokeQuestion({ revoking, onClose, backTo }: QuestionProps) {
  const { slug } = useProject()
  const shown = useLasting(revoking)
  const revoke = useAction('revokeKey', { renews: ['listKeys', 'getProject'] })
  if (!shown) return null
  const take = async () => {
    await revoke.mutateAsync({ project: slug, keyId: shown.id })
    notify({ message: words.revoked(shown.label) })
  }
  return (
    <Confirm
      title={words.ask(shown.label)}
      isOpen={revoking !== undefined}
      onClose={onClose}
      action={words.revoke}
      isBusy={revoke.isPending}
      onConfirm={() => void take().then(onClose, onClose)}
      backTo={backTo}
    >
      <p className="key-text">{words.text(displayOf(shown))}</p>
    </Confirm>
  )
}
