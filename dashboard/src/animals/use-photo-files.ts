// Files that come to the page without a button: dropped on a part of it, or pasted anywhere.

import { useEffect, useRef, useState, type DragEvent } from 'react'

const hasFiles = ({ dataTransfer }: { dataTransfer: DataTransfer | null }) =>
  dataTransfer?.types.includes('Files') ?? false

/** `target`: props of the part of the page on which files are dropped. `isOver`: it would take them now. */
export function usePhotoFiles(onFiles: (files: readonly File[]) => void) {
  const [isOver, setIsOver] = useState(false)

  const latest = useRef(onFiles)
  useEffect(() => {
    latest.current = onFiles
  })
  useEffect(() => {
    // A browser opens a file that is dropped beside the target, instead of this page.
    const refuse = (event: globalThis.DragEvent) => {
      if (!hasFiles(event) || event.defaultPrevented) return
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'none'
    }
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
      if (files.length === 0) return
      event.preventDefault()
      latest.current(files)
    }
    addEventListener('dragover', refuse)
    addEventListener('drop', refuse)
    addEventListener('paste', paste)
    return () => {
      removeEventListener('dragover', refuse)
      removeEventListener('drop', refuse)
      removeEventListener('paste', paste)
    }
  }, [])

  const target = {
    onDragOver(event: DragEvent) {
      if (!hasFiles(event)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setIsOver(true)
    },
    onDragLeave({ currentTarget, relatedTarget }: DragEvent) {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsOver(false)
    },
    onDrop(event: DragEvent) {
      setIsOver(false)
      if (!hasFiles(event)) return
      event.preventDefault()
      onFiles([...event.dataTransfer.files])
    },
  }
  return { isOver, target }
}
