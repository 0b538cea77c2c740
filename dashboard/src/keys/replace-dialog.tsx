// Replaces a key by a new one, with time for programs to change over. The new key is
// handed to the page when the dialog is gone, and with it the keyboard.

import { Button, Radio } from '@mantine/core'
import { useState } from 'react'
import { isRefused, useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useLasting } from '../ui/lasting.ts'
import { OrCancel } from '../ui/with-cancel.tsx'
import { Refused } from './refused.tsx'
import type { FreshKey, Key } from './views.ts'

const words = texts.keys

type Overlap = keyof typeof words.overlaps
const overlaps = Object.keys(words.overlaps) as Overlap[]
const OVERLAP_AT_FIRST: Overlap = '86400'

type DialogProps = {
  /** Undefined: the dialog is closed. */
  replacing: Key | undefined
  onClose: () => void
  onMade: (key: FreshKey) => void
}

export function ReplaceDialog({ replacing, onClose, onMade }: DialogProps) {
  const shown = useLasting(replacing)
  const [made, setMade] = useState<FreshKey>()
  return (
    <Dialog
      isOpen={replacing !== undefined}
      onClose={onClose}
      onGone={() => {
        if (made) onMade(made)
        setMade(undefined)
      }}
      title={shown && words.replaceTitle(shown.label)}
    >
      {shown && <Question of={shown} onClose={onClose} onMade={setMade} />}
    </Dialog>
  )
}

function Question({ of: key, onClose, onMade }: { of: Key } & Pick<DialogProps, 'onClose' | 'onMade'>) {
  const { slug } = useProject()
  const [overlap, setOverlap] = useState<string>(OVERLAP_AT_FIRST)
  const [refusal, setRefusal] = useState<string>()
  const rotate = useAction('rotateKey', {
    renews: ['listKeys', 'getProject'],
    onDone: (received) => {
      onMade(received)
      onClose()
    },
    onRefused: ({ message }) => {
      setRefusal(message)
      return true
    },
  })
  return (
    <div className="stack">
      <p className="key-text">{words.replaceText}</p>
      <Radio.Group label={words.overlap} value={overlap} onChange={setOverlap}>
        <div className="stack key-scopes">
          {overlaps.map((seconds) => (
            <Radio
              key={seconds}
              value={seconds}
              label={words.overlaps[seconds]}
              {...(words.overlapHelp[seconds] !== '' && { description: words.overlapHelp[seconds] })}
            />
          ))}
        </div>
      </Radio.Group>
      <Refused message={refusal} isOfPlan={isRefused(rotate.error, 'plan_required')} />
      <OrCancel onCancel={onClose}>
        <Button
          loading={rotate.isPending}
          onClick={() => rotate.mutate({ project: slug, keyId: key.id, body: { overlapSeconds: Number(overlap) } })}
        >
          {words.replaceDoes}
        </Button>
      </OrCancel>
    </div>
  )
}
