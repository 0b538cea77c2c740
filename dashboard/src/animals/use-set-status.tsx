// Sets the status of an animal at once, with a way to take it back. If people had asked for an animal that is marked as
// adopted or sold, the question who took it comes first.

import type { ManagedOrder } from '@petstore-platform/contract/platform/orders'
import { useState, type ReactNode } from 'react'
import { query, queryClient, useAction, wordsOf } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { notify } from '../ui/toasts.ts'
import { undoSteps } from './change-undo.ts'
import type { AnimalDetails } from './profile-fields.ts'
import { TakerDialog } from './taker-dialog.tsx'
import { useChangeUndo } from './use-change-undo.ts'
import { statusLabel } from './views.ts'

const words = texts.profiles
const renews = ['getOverview', 'listAnimals', 'listOrders', 'getOrder'] as const

type Status = AnimalDetails['status']

/** `dialog` is to be put into the page. */
export function useSetStatus(animal: AnimalDetails): { setStatus: (status: Status) => void; dialog: ReactNode } {
  const { slug: project, kind } = useProject()
  const { offerUndo } = useChangeUndo()
  const [asked, setAsked] = useState<readonly ManagedOrder[]>()
  const known = query('getAnimal', { project, petId: animal.id })
  const set = useAction('setAnimalStatus', { renews })
  const undo = useAction('undoOrder', { renews: [...renews, 'getAnimal'], done: words.taker.undone })
  const open = query('listOrders', { project, animal: animal.id, stage: 'open', limit: 100 })

  const put = async (status: Status, by?: ManagedOrder): Promise<boolean> => {
    const body = { status, ...(by && { orderId: by.id }) }
    // A refusal has been shown.
    const saved = await set.mutateAsync({ project, petId: animal.id, body }).catch(() => undefined)
    if (saved) queryClient.setQueryData(known.queryKey, (before) => before && { ...before, status })
    return saved !== undefined
  }
  /** Undefined: it cannot be known now, which has been shown. */
  const whoAsked = () =>
    queryClient.fetchQuery({ ...open, staleTime: 0 }).catch((error: unknown) => {
      notify({ title: texts.common.notDone, message: wordsOf(error), isBad: true })
      return undefined
    })
  const change = async (status: Status) => {
    const requests = status === 'sold' ? await whoAsked() : []
    if (!requests) return
    if (requests.length > 0) return setAsked(requests)
    if (!(await put(status))) return
    offerUndo(words.wasMarked(animal.name, statusLabel(status, kind)), undoSteps([animal], status, false))
  }
  const taken = async (by: ManagedOrder | undefined) => {
    setAsked(undefined)
    if (!(await put('sold', by))) return
    notify({
      message: words.wasMarked(animal.name, statusLabel('sold', kind)),
      // Requests that were closed are restored with the one that was completed.
      ...(by && { undo: () => undo.mutate({ project, orderId: by.id }) }),
    })
  }
  return {
    setStatus: (status) => void change(status),
    dialog: (
      <TakerDialog
        name={animal.name}
        asked={asked}
        onClose={() => setAsked(undefined)}
        onTaken={(by) => void taken(by)}
      />
    ),
  }
}
