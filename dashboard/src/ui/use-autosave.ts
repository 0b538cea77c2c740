// An autosaved draft for a page: updated with every response of the server, and consulted
// before leaving.

import { useBlocker } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Autosave } from './autosave.ts'
import type { Versioned } from './draft.ts'

/** `create` is called once, with what the first response contained. `updatedAt`: of the latest one. */
export function useAutosave<Stored extends Versioned, Fields extends object, Place extends string>(
  create: () => Autosave<Stored, Fields, Place>,
  stored: Stored,
  updatedAt: number,
) {
  const [autosave] = useState(create)
  const kept = useSyncExternalStore(autosave.watch, autosave.now)
  // Every response counts, even an identical one: it shows that the server is reachable again.
  useEffect(() => autosave.receive(stored), [autosave, stored, updatedAt])
  const leaving = useBlocker({
    shouldBlockFn: async () => !(await autosave.save()),
    enableBeforeUnload: autosave.isChanged,
    withResolver: true,
  })
  return { autosave, kept, leaving }
}
