// The notice that statuses were set, with a way to take it back where that restores everything.

import type { PetStatus } from '@petstore-platform/contract/pets'
import { useState } from 'react'
import { useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { notify } from '../ui/toasts.ts'
import type { Animal } from './rows.ts'
import { undoSteps, type StatusStep } from './status-undo.ts'

type Marked = {
  /** The animals as they were. */
  before: readonly Pick<Animal, 'id' | 'status'>[]
  status: PetStatus
  /** Whether people may have asked for them. */
  isAsked: boolean
}
export type OfferUndo = (message: string, marked: Marked) => void

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
    offerUndo(message, { before, status, isAsked }) {
      const steps = undoSteps(before, status, isAsked)
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
