// An area on which files are dropped, or which opens the browser's dialog to choose them.

import type { LucideIcon } from 'lucide-react'
import { useState, type DragEvent } from 'react'
import { Glyph } from '../ui/glyph.tsx'

type FileDropProps = {
  icon: LucideIcon
  choose: string
  orDrop: string
  accept: string
  isMultiple?: boolean
  isSmall?: boolean
  onFiles: (files: readonly File[]) => void
}

export function FileDrop({ icon, choose, orDrop, accept, isMultiple, isSmall, onFiles }: FileDropProps) {
  const [isOver, setIsOver] = useState(false)
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    onFiles([...event.dataTransfer.files])
  }
  return (
    <label
      className={`import-drop${isSmall ? ' import-drop-small' : ''}${isOver ? ' over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={onDrop}
    >
      <input
        type="file"
        className="visually-hidden"
        accept={accept}
        multiple={isMultiple}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          // The same file can be chosen again.
          currentTarget.value = ''
        }}
      />
      <Glyph of={icon} />
      <span className="import-choose">{choose}</span>
      <span className="quiet">{orDrop}</span>
    </label>
  )
}
