// The field of the search, which opens its dialog: by a press, or by Ctrl-K (Cmd-K) from anywhere. The dialog is
// loaded then.

import { useHotkeys } from '@mantine/hooks'
import { Search } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { retryWhenOnline } from '../lazy-load.ts'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'

const { search: words } = texts.common

const SearchDialog = lazy(
  retryWhenOnline(async () => ({ default: (await import('./search-dialog.tsx')).SearchDialog })),
)

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

export function SearchPlace({ slug }: { slug: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const [wasOpened, setWasOpened] = useState(false)
  const open = () => {
    setWasOpened(true)
    setIsOpen(true)
  }
  useHotkeys([['mod+K', open]], [])
  return (
    <>
      <button
        type="button"
        className="search-field"
        onClick={open}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K"
      >
        <Icon of={Search} size={18} />
        <span>{words.label}</span>
        <kbd aria-hidden>{isApple ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      {wasOpened && (
        <Suspense>
          <SearchDialog slug={slug} isOpen={isOpen} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
