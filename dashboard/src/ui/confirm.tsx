// A question before something that cannot be taken back.

import { Button, Modal } from '@mantine/core'
import { useEffect, useState, type ReactNode } from 'react'
import { texts } from '../texts/texts.ts'
import { OrCancel } from './or-cancel.tsx'

type ConfirmProps = {
  title: string
  isOpen: boolean
  onClose: () => void
  /** What the button that does it says. */
  does: string
  onConfirm: () => void
  isBusy?: boolean
  isReady?: boolean
  /** The dialog is gone, and so may be the button that opened it. */
  onGone?: () => void
  children: ReactNode
}

export function Confirm({
  title,
  isOpen,
  onClose,
  does,
  onConfirm,
  isBusy,
  isReady = true,
  onGone,
  children,
}: ConfirmProps) {
  // A dialog gives the keyboard back to what had it when it opened; one that is there open from the start cannot know.
  const [isThere, setThere] = useState(false)
  useEffect(() => setThere(true), [])
  return (
    <Modal
      opened={isOpen && isThere}
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': texts.common.close }}
      {...(onGone && { onExitTransitionEnd: onGone })}
    >
      <div className="stack">
        {children}
        <OrCancel onCancel={onClose}>
          <Button color="red" onClick={onConfirm} loading={isBusy ?? false} disabled={!isReady}>
            {does}
          </Button>
        </OrCancel>
      </div>
    </Modal>
  )
}
