// Changes many animals: a confirmation with the consequences, then batches of the size that
// the server accepts, with progress. After an interruption it shows how far it got and can
// continue.

import { Button, NativeSelect, Progress } from '@mantine/core'
import { useState } from 'react'
import { useAction, wordsOf } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Dialog, type DialogProps } from '../ui/dialog.tsx'
import { useLasting } from '../ui/lasting.ts'
import { wordsOfChange, type BulkChange } from './bulk-change.ts'
import { categoryOptions, type Categories } from './categories.ts'
import { AT_ONCE, undoSteps, undoStepsOf } from './change-undo.ts'
import type { Animal } from './rows.ts'
import type { OfferUndo } from './use-change-undo.ts'

const { bulk } = texts.animals

/** `animals`: as they were before. Without a change, their category is to be chosen. */
export type BulkRequest = { animals: readonly Animal[]; change: BulkChange | undefined }
type OnChanged = (ids: readonly bigint[], change: BulkChange, missing: readonly bigint[]) => void
type BulkProps = Pick<DialogProps, 'onClose' | 'backTo'> & {
  /** Undefined: the dialog is closed. */
  asked: BulkRequest | undefined
  categories: Categories
  onChanged: OnChanged
  offerUndo: OfferUndo
}

export function BulkDialog({ asked, onClose, backTo, ...rest }: BulkProps) {
  const { kind } = useProject()
  const shown = useLasting(asked)
  const [isBusy, setIsBusy] = useState(false)
  return (
    <Dialog
      isOpen={asked !== undefined}
      onClose={isBusy ? () => undefined : onClose}
      backTo={backTo}
      title={shown && wordsOfChange(shown.change, { kind }).title(shown.animals.length)}
    >
      {shown && <Question {...shown} isBusy={isBusy} onBusy={setIsBusy} onClose={onClose} {...rest} />}
    </Dialog>
  )
}

type QuestionProps = BulkRequest &
  Pick<BulkProps, 'categories' | 'onClose' | 'onChanged' | 'offerUndo'> & {
    isBusy: boolean
    onBusy: (isBusy: boolean) => void
  }

function Question(props: QuestionProps) {
  const { animals, change: given, categories, isBusy, onBusy, onClose, onChanged, offerUndo } = props
  const { slug: project, kind } = useProject()
  const [chosen, setChosen] = useState('')
  const [done, setDone] = useState(0)
  const [failure, setFailure] = useState<string>()
  const shownHere = { onRefused: () => true } as const
  const set = useAction('setAnimalStatuses', shownHere)
  const alter = useAction('changeAnimals', shownHere)
  const ids = animals.map(({ id }) => id)
  const change = given ?? (chosen === '' ? undefined : { categoryId: BigInt(chosen) })
  const category = chosen === '' ? '' : categories.nameOf(BigInt(chosen))
  const words = wordsOfChange(change, { kind, category })

  const send = (some: bigint[], wanted: BulkChange) =>
    'status' in wanted
      ? set.mutateAsync({ project, body: { ids: some, ...wanted } })
      : alter.mutateAsync({ project, body: { ids: some, ...wanted } })

  const run = async (wanted: BulkChange) => {
    onBusy(true)
    setFailure(undefined)
    const missing = new Set<bigint>()
    try {
      for (let from = done; from < ids.length; from += AT_ONCE) {
        const some = ids.slice(from, from + AT_ONCE)
        const result = await send(some, wanted)
        for (const id of result.missing) missing.add(id)
        setDone(from + some.length)
        onChanged(some, wanted, result.missing)
      }
      const message = words.done(ids.length - missing.size)
      const before = animals.filter(({ id }) => !missing.has(id))
      offerUndo(
        missing.size === 0 ? message : `${message}. ${bulk.missing(missing.size)}`,
        'status' in wanted ? undoSteps(before, wanted.status, true) : undoStepsOf(before, wanted),
      )
      onBusy(false)
      onClose()
    } catch (error) {
      setFailure(wordsOf(error))
      onBusy(false)
    }
  }

  return (
    <div className="stack">
      <p className="plain">{words.meaning}</p>
      {!given && (
        <NativeSelect
          label={texts.animals.category}
          value={chosen}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          disabled={isBusy || done > 0}
          data={[{ value: '', label: texts.animals.dialog.chooseCategory }, ...categoryOptions(categories, undefined)]}
          data-autofocus
        />
      )}
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
        <Button onClick={() => change && void run(change)} loading={isBusy} disabled={change === undefined}>
          {done > 0 ? bulk.goOn : words.action}
        </Button>
        <Button variant="default" onClick={onClose} disabled={isBusy}>
          {texts.common.cancel}
        </Button>
      </div>
    </div>
  )
}
