// The field of the search, which opens its dialog: by a press, or by Ctrl-K (Cmd-K) from anywhere. The dialog is
// loaded then.

import { useHotkeys } from '@mantine/hooks'
import { Search } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { lateDialog } from '../ui/late-dialog.tsx'

const { search: words } = texts.common

const useSearchDialog = lateDialog(async () => (await import('./search-dialog.tsx')).SearchDialog)

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

export function SearchPlace({ slug }: { slug: string }) {
  const { open, dialog } = useSearchDialog({ slug })
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
      {dialog}
    </>
  )
}
