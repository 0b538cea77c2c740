// The notice that animals were changed, with a way to take it back where that restores everything.

import { useState } from 'react'
import { useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { notify } from '../ui/toasts.ts'
import type { UndoStep } from './change-undo.ts'

const renews = ['getOverview', 'listAnimals', 'getAnimal'] as const

/** Without steps it cannot be taken back. */
export type OfferUndo = (message: string, steps: readonly UndoStep[] | undefined) => void

/** `timesUndone` changes when rows that are loaded are out of date. */
export function useChangeUndo(): { offerUndo: OfferUndo; timesUndone: number } {
  const { slug: project } = useProject()
  const [timesUndone, setTimesUndone] = useState(0)
  const set = useAction('setAnimalStatuses', { renews })
  const change = useAction('changeAnimals', { renews })
  const undo = async (steps: readonly UndoStep[]) => {
    for (const body of steps)
      await ('status' in body ? set.mutateAsync({ project, body }) : change.mutateAsync({ project, body }))
    notify({ message: texts.animals.bulk.undone(steps.reduce((sum, { ids }) => sum + ids.length, 0)) })
  }
  return {
    timesUndone,
    offerUndo(message, steps) {
      if (!steps) return notify({ message })
      notify({
        message,
        // A refusal has been shown; what was set back before it is shown as well.
        undo: () => void undo(steps).then(rowsChanged, rowsChanged),
      })
    },
  }
  function rowsChanged() {
    setTimesUndone((times) => times + 1)
  }
}
