// The dialogs that the menu of a domain opens.

import type { DialogsProps } from './menu-place.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { ShareDialog } from './share-dialog.tsx'

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
