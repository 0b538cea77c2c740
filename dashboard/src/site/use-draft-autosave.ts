// The autosave of the draft for a page: created from the first response of the server,
// updated with every later one, and consulted before leaving.

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
    // Shown next to the fields.
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
  // Every response counts, even an identical one: it shows that the server is reachable again.
  useEffect(() => keeper.receive(site), [keeper, site, updatedAt])
  const leaving = useBlocker({
    shouldBlockFn: async () => !(await keeper.save()),
    enableBeforeUnload: () => isChanged(keeper.now().draft),
    withResolver: true,
  })
  return { keeper, kept, leaving }
}
