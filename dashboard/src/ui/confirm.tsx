// A question before something that cannot be taken back.

import { Button } from '@mantine/core'
import { Dialog, type DialogProps } from './dialog.tsx'
import { OrCancel } from './with-cancel.tsx'

type ConfirmProps = Omit<DialogProps, 'isWide'> & {
  /** The label of the confirming button. */
  action: string
  onConfirm: () => void
  isBusy?: boolean
  isReady?: boolean
}

export const Confirm = ({ action, onConfirm, isBusy = false, isReady = true, children, ...dialog }: ConfirmProps) => (
  <Dialog {...dialog}>
    <div className="stack">
      {children}
      <OrCancel onCancel={dialog.onClose}>
        <Button data-tone="danger" onClick={onConfirm} loading={isBusy} disabled={!isReady}>
          {action}
        </Button>
      </OrCancel>
    </div>
  </Dialog>
)
