// A dialog that is loaded when it is opened for the first time; until then the page is readable without it.

import { lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react'
import { retryWhenOnline } from '../lazy-load.ts'

export type LateDialogProps = { isOpen: boolean; onClose: () => void }

/** Returns a hook: it opens the dialog, and `dialog` is to be put into the page. */
export function lateDialog<Shown extends object>(
  load: () => Promise<ComponentType<Shown & LateDialogProps>>,
): (shown: Shown) => { open: () => void; dialog: ReactNode } {
  const Dialog = lazy<ComponentType<Shown & LateDialogProps>>(retryWhenOnline(async () => ({ default: await load() })))

  return function useLateDialog(shown) {
    const [state, setState] = useState<'never' | 'open' | 'closed'>('never')
    const dialog = state !== 'never' && (
      <Suspense>
        <Dialog {...shown} isOpen={state === 'open'} onClose={() => setState('closed')} />
      </Suspense>
    )
    return { open: () => setState('open'), dialog }
  }
}
