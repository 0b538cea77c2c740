// The keeper of the draft, for a page: made from what the server said first, told of
// whatever it says later, and asked before anybody leaves.

import { useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { query, useAction } from '../api.ts'
import { isChanged } from './draft.ts'
import type { Site } from './fields.ts'
import { createKeeper } from './draft-autosave.ts'

export function useKeeper(project: string, site: Site, updatedAt: number) {
  const cache = useQueryClient()
  const asked = query('getSite', { project })
  const put = useAction('putSite', {
    // Told beside the fields.
    onRefused: () => true,
    onDone: (saved) => cache.setQueryData(asked.queryKey, saved),
  })
  const [keeper] = useState(() =>
    createKeeper(site, {
      put: (body) => put.mutateAsync({ project, body }),
      get: () => cache.fetchQuery({ ...asked, staleTime: 0 }),
      now: () => new Date(),
    }),
  )
  const kept = useSyncExternalStore(keeper.watch, keeper.now)
  // Each answer counts, also one that says the same: it says that there is somebody again.
  useEffect(() => keeper.receive(site), [keeper, site, updatedAt])
  const leaving = useBlocker({
    shouldBlockFn: async () => !(await keeper.save()),
    enableBeforeUnload: () => isChanged(keeper.now().draft),
    withResolver: true,
  })
  return { keeper, kept, leaving }
}
