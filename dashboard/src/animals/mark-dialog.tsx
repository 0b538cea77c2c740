// Sets the status of many animals: a confirmation with the consequences, then batches of
// the size that the server accepts, with progress. After an interruption it shows how far
// it got and can continue.

import type { Received } from '@petstore-platform/contract/platform/client'
import type { ANIMALS_AT_ONCE_MAX } from '@petstore-platform/contract/platform/animal-statuses'
import type { PetStatus } from '@petstore-platform/contract/pets'
import { Button, Progress } from '@mantine/core'
import { useState } from 'react'
import { useAction, wordsOf } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Dialog, type DialogProps } from '../ui/dialog.tsx'
import { useLasting } from '../ui/lasting.ts'
import type { Animal } from './rows.ts'
import type { OfferUndo } from './use-status-undo.ts'
import { statusLabel, statusViews } from './views.ts'

const AT_ONCE: typeof ANIMALS_AT_ONCE_MAX = 500
const { bulk } = texts.animals

/** `animals`: as they were before. */
export type Marking = { animals: readonly Animal[]; status: PetStatus }
type OnMarked = (ids: readonly bigint[], status: PetStatus, result: Received<'setAnimalStatuses'>) => void
type MarkProps = Pick<DialogProps, 'onClose' | 'backTo'> & {
  /** Undefined: the dialog is closed. */
  marking: Marking | undefined
  onMarked: OnMarked
  offerUndo: OfferUndo
}

export function MarkDialog({ marking, onClose, backTo, ...rest }: MarkProps) {
  const { kind } = useProject()
  const shown = useLasting(marking)
  const [isBusy, setIsBusy] = useState(false)
  return (
    <Dialog
      isOpen={marking !== undefined}
      onClose={isBusy ? () => undefined : onClose}
      backTo={backTo}
      title={shown && bulk.title(shown.animals.length, statusLabel(shown.status, kind))}
    >
      {shown && <Question {...shown} isBusy={isBusy} onBusy={setIsBusy} onClose={onClose} {...rest} />}
    </Dialog>
  )
}

type QuestionProps = Marking & {
  isBusy: boolean
  onBusy: (isBusy: boolean) => void
  onClose: () => void
  onMarked: OnMarked
  offerUndo: OfferUndo
}

function Question({ animals, status, isBusy, onBusy, onClose, onMarked, offerUndo }: QuestionProps) {
  const { slug, kind } = useProject()
  const ids = animals.map(({ id }) => id)
  const [done, setDone] = useState(0)
  const [failure, setFailure] = useState<string>()
  const set = useAction('setAnimalStatuses', { onRefused: () => true })

  const run = async () => {
    onBusy(true)
    setFailure(undefined)
    const missing = new Set<bigint>()
    try {
      for (let from = done; from < ids.length; from += AT_ONCE) {
        const some = ids.slice(from, from + AT_ONCE)
        const result = await set.mutateAsync({ project: slug, body: { ids: some, status } })
        for (const id of result.missing) missing.add(id)
        setDone(from + some.length)
        onMarked(some, status, result)
      }
      const words = bulk.done(ids.length - missing.size, statusLabel(status, kind))
      offerUndo(missing.size === 0 ? words : `${words}. ${bulk.missing(missing.size)}`, {
        before: animals.filter(({ id }) => !missing.has(id)),
        status,
        isAsked: true,
      })
      onBusy(false)
      onClose()
    } catch (error) {
      setFailure(wordsOf(error))
      onBusy(false)
    }
  }

  return (
    <div className="stack">
      <p className="plain">{statusViews[status].meaning}</p>
      {(isBusy || done > 0) && (
        <div role="status" className="stack">
          <Progress value={(done / ids.length) * 100} aria-label={bulk.progress(done, ids.length)} />
          <span className="quiet small">{bulk.progress(done, ids.length)}</span>
        </div>
      )}
      {failure !== undefined && (
        <div className="note bad" role="alert">
          {failure} {done > 0 && bulk.stopped(done, ids.length)}
        </div>
      )}
      <div className="row">
        <Button onClick={() => void run()} loading={isBusy}>
          {done > 0 ? bulk.goOn : bulk.does}
        </Button>
        <Button variant="default" onClick={onClose} disabled={isBusy}>
          {texts.common.cancel}
        </Button>
      </div>
    </div>
  )
}
