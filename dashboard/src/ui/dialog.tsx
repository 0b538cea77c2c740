// A dialog that returns the focus: to the element that opened it; if that is gone, to one
// that the page names, or to the beginning of the page. It is decided once the dialog has
// left the page: until then it can still take the focus, if it is closed before it has.

import { Modal } from '@mantine/core'
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { texts } from '../texts/texts.ts'
import { takeLostFocus } from './focus.ts'

export type DialogProps = {
  title: ReactNode
  isOpen: boolean
  onClose: () => void
  /** Where people are afterwards, if what opened the dialog is gone. */
  backTo?: RefObject<HTMLElement | null> | undefined
  /** It has faded away. */
  onGone?: (() => void) | undefined
  isWide?: boolean
  children: ReactNode
}

export function Dialog({ title, isOpen, onClose, backTo, onGone, isWide = false, children }: DialogProps) {
  // It opens a moment after the request: the element with the focus until then opened it.
  const [isReady, setReady] = useState(false)
  const opener = useRef<Element>(null)
  useEffect(() => {
    if (isOpen) opener.current = document.activeElement
    setReady(isOpen)
  }, [isOpen])

  const [timesGone, setTimesGone] = useState(0)
  // Each time that it has faded away, and when what it is part of is gone, as the row of what was deleted.
  useEffect(
    () => () => {
      if (!opener.current) return
      for (const place of [opener.current, backTo?.current, document.getElementById('content')]) takeLostFocus(place)
      opener.current = null
    },
    [timesGone, backTo],
  )

  return (
    <Modal
      opened={isOpen && isReady}
      onClose={onClose}
      onExitTransitionEnd={() => {
        setTimesGone((times) => times + 1)
        onGone?.()
      }}
      title={title}
      {...(isWide && { size: 'lg' })}
      closeButtonProps={{ 'aria-label': texts.common.close }}
    >
      {children}
    </Modal>
  )
}
