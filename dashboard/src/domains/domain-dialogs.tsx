// The dialogs that the menu of a domain opens.

import type { DomainSummary } from '@petstore-platform/contract/platform/domain-shapes'
import type { RefObject } from 'react'
import type { DialogName } from './domain-menu-button.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { ShareDialog } from './share-dialog.tsx'

type DialogsProps = {
  domain: DomainSummary
  /** The one that is open. */
  name: DialogName | undefined
  onClose: () => void
  onRemoved: () => void
  backTo: RefObject<HTMLElement | null>
}

export default function DomainDialogs({ domain, name, onClose, onRemoved, backTo }: DialogsProps) {
  return (
    <>
      <ShareDialog domain={domain} isOpen={name === 'share'} onClose={onClose} backTo={backTo} />
      <RemoveDialog
        domain={domain}
        isOpen={name === 'remove'}
        onClose={onClose}
        onRemoved={onRemoved}
        backTo={backTo}
      />
    </>
  )
}
