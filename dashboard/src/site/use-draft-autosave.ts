// The autosave of the draft of the site, for its page.

import { useQueryClient } from '@tanstack/react-query'
import { query, useAction } from '../api.ts'
import { useAutosave } from '../ui/use-autosave.ts'
import { createDraftAutosave } from './draft-autosave.ts'
import type { Site } from './fields.ts'

export function useDraftAutosave(project: string, site: Site, updatedAt: number) {
  const cache = useQueryClient()
  const asked = query('getSite', { project })
  const put = useAction('putSite', {
    // Shown next to the fields.
    onRefused: () => true,
    onDone: (saved) => cache.setQueryData(asked.queryKey, saved),
  })
  return useAutosave(
    () =>
      createDraftAutosave(site, {
        put: (body) => put.mutateAsync({ project, body }),
        get: () => cache.fetchQuery({ ...asked, staleTime: 0 }),
        now: () => new Date(),
      }),
    site,
    updatedAt,
  )
}
