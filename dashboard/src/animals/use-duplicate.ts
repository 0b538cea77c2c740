// Duplicating an animal, such as the next kitten of a litter: the page of the copy opens, and its name is to be typed.

import { useNavigate } from '@tanstack/react-router'
import { queryClient, useAction } from '../api.ts'
import { renew } from '../renew.ts'
import { useProject } from '../shell/project-context.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The page of an animal was opened because the animal has just been made as a copy. */
    isCopy?: boolean
  }
}

export function useDuplicate(): (petId: bigint) => void {
  const { slug: project } = useProject()
  const navigate = useNavigate()
  const duplicate = useAction('duplicateAnimal', {
    onDone: ({ id }) => {
      void renew(queryClient, ['getOverview', 'listAnimals'])
      void navigate({
        to: '/projects/$project/animals/$animal',
        params: { project, animal: String(id) },
        state: { isCopy: true },
      })
    },
  })
  return (petId) => {
    // A second press while the first is on its way makes no second copy.
    if (!duplicate.isPending) duplicate.mutate({ project, petId })
  }
}
