// The notice that statuses were set, with a way to take it back where that restores everything.

import type { PetStatus } from '@petstore-platform/contract/pets'
import { useState } from 'react'
import { useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { notify } from '../ui/toasts.ts'
import type { Animal } from './rows.ts'
import { undoSteps, type StatusStep } from './status-undo.ts'

/** `before`: the animals as they were. */
export type OfferUndo = (message: string, before: readonly Pick<Animal, 'id' | 'status'>[], status: PetStatus) => void

/** `timesUndone` changes when rows that are loaded are out of date. */
export function useStatusUndo(): { offerUndo: OfferUndo; timesUndone: number } {
  const { slug: project } = useProject()
  const [timesUndone, setTimesUndone] = useState(0)
  const set = useAction('setAnimalStatuses', { renews: ['getOverview', 'listAnimals', 'getAnimal'] })
  const undo = async (steps: readonly StatusStep[]) => {
    for (const body of steps) await set.mutateAsync({ project, body })
    notify({ message: texts.animals.bulk.undone(steps.reduce((sum, { ids }) => sum + ids.length, 0)) })
  }
  return {
    timesUndone,
    offerUndo(message, before, status) {
      const steps = undoSteps(before, status)
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
