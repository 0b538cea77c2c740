// Sets the status of many animals: a confirmation with the consequences, then batches of
// the size that the server accepts, with progress. After an interruption it shows how far
// it got and can continue.

import type { Received } from '@petstore/contract/platform/client'
import type { STATUSES_AT_ONCE_MAX } from '@petstore/contract/platform/orders'
import type { PetStatus } from '@petstore/contract/pets'
import { Button, Progress } from '@mantine/core'
import { useState } from 'react'
import { useAction, wordsOf } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { Dialog, type DialogProps } from '../ui/dialog.tsx'
import { useLasting } from '../ui/lasting.ts'
import { notify } from '../ui/toasts.ts'
import { statusViews } from './views.ts'

const AT_ONCE: typeof STATUSES_AT_ONCE_MAX = 500
const { bulk } = texts.animals

export type Marking = { ids: readonly bigint[]; status: PetStatus }
type OnMarked = (ids: readonly bigint[], status: PetStatus, result: Received<'setAnimalStatuses'>) => void
type MarkProps = Pick<DialogProps, 'onClose' | 'backTo'> & {
  /** Undefined: the dialog is closed. */
  marking: Marking | undefined
  onMarked: OnMarked
}

export function MarkDialog({ marking, onClose, backTo, onMarked }: MarkProps) {
  const shown = useLasting(marking)
  const [isBusy, setIsBusy] = useState(false)
  return (
    <Dialog
      isOpen={marking !== undefined}
      onClose={isBusy ? () => undefined : onClose}
      backTo={backTo}
      title={shown && bulk.title(shown.ids.length, statusViews[shown.status].label)}
    >
      {shown && <Question {...shown} isBusy={isBusy} onBusy={setIsBusy} onClose={onClose} onMarked={onMarked} />}
    </Dialog>
  )
}

type QuestionProps = Marking & {
  isBusy: boolean
  onBusy: (isBusy: boolean) => void
  onClose: () => void
  onMarked: OnMarked
}

function Question({ ids, status, isBusy, onBusy, onClose, onMarked }: QuestionProps) {
  const { slug } = useProject()
  const { label, meaning } = statusViews[status]
  const [done, setDone] = useState(0)
  const [failure, setFailure] = useState<string>()
  const set = useAction('setAnimalStatuses', { onRefused: () => true })

  const run = async () => {
    onBusy(true)
    setFailure(undefined)
    let missing = 0
    try {
      for (let from = done; from < ids.length; from += AT_ONCE) {
        const some = ids.slice(from, from + AT_ONCE)
        const result = await set.mutateAsync({ project: slug, body: { ids: some, status } })
        missing += result.missing.length
        setDone(from + some.length)
        onMarked(some, status, result)
      }
      const words = bulk.done(ids.length - missing, label)
      notify({ message: missing === 0 ? words : `${words}. ${bulk.missing(missing)}` })
      onBusy(false)
      onClose()
    } catch (error) {
      setFailure(wordsOf(error))
      onBusy(false)
    }
  }

  return (
    <div className="stack">
      <p className="animal-text">{meaning}</p>
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
