// A dialog that returns the focus: to the element that opened it; if that is gone, to one
// that the page names, or to the beginning of the page. It is decided once the dialog has
// left the page: until then it can still take the focus, if it is closed before it has.
//
// A dialog can open on top of another one, as when the person must confirm their identity. Escape closes only
// the topmost.

import { Modal } from '@mantine/core'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import { useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react'
import * as texts from '../texts/texts.ts'
import { returnFocus } from './focus.ts'

export type DialogProps = {
  title: ReactNode
  isOpen: boolean
  onClose: () => void
  /** The element that opened it, if it may no longer have the focus. */
  openedBy?: Element | null | undefined
  /** Where people are afterwards, if what opened the dialog is gone. */
  backTo?: RefObject<HTMLElement | null> | undefined
  /** It has faded away. */
  onGone?: (() => void) | undefined
  isWide?: boolean
  children: ReactNode
}

/** The dialogs that are open, the topmost last. */
const openDialogs: string[] = []

export function Dialog(props: DialogProps) {
  const { title, isOpen, onClose, openedBy, backTo, onGone, isWide = false, children } = props
  const id = useId()
  useEffect(() => {
    if (!isOpen) return
    openDialogs.push(id)
    return () => {
      // Every open dialog receives the key that closes this one; it stays the topmost until all have.
      setTimeout(() => openDialogs.splice(openDialogs.indexOf(id), 1))
    }
  }, [isOpen, id])

  // It opens a moment after the request: the element with the focus until then opened it.
  const [isReady, setReady] = useState(false)
  const opener = useRef<Element>(null)
  useEffect(() => {
    if (isOpen) opener.current = openedBy ?? document.activeElement
    setReady(isOpen)
  }, [isOpen, openedBy])

  const [timesGone, setTimesGone] = useState(0)
  // Each time that it has faded away, and when what it is part of is gone, as the row of what was deleted.
  useEffect(
    () => () => {
      if (!opener.current) return
      const around = opener.current.closest('[role=dialog]')
      returnFocus([opener.current, around, backTo?.current, document.getElementById('content')])
      opener.current = null
    },
    [timesGone, backTo],
  )

  return (
    <Modal
      opened={isOpen && isReady}
      onClose={() => openDialogs.at(-1) === id && onClose()}
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
