// What a photo shows, in words, and what must stay visible where it is cropped.

import { Button, TextInput } from '@mantine/core'
import type { ALT_LENGTH_MAX, Focal } from '@petstore-platform/contract/platform/photos'
import { useId, useState, type FormEvent, type KeyboardEvent } from 'react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Dialog, type DialogProps } from '../ui/dialog.tsx'
import { useLasting } from '../ui/lasting.ts'
import { focalClass, photoAddress } from '../ui/photo-address.ts'
import { OrCancel } from '../ui/with-cancel.tsx'
import { cellAfter, focalCells, isSameCell } from './focal.ts'
import type { Photo, PhotoChange } from './use-photos.ts'

const words = texts.photos
const ALT_LENGTH: typeof ALT_LENGTH_MAX = 250
const PICTURE_PIXELS = 640

type PhotoDialogProps = Pick<DialogProps, 'openedBy' | 'onClose'> & {
  /** Undefined while it is closed. */
  photo: Photo | undefined
  onSave: (photo: Photo, change: PhotoChange) => void
}

export function PhotoDialog({ photo, onSave, ...dialog }: PhotoDialogProps) {
  const shown = useLasting(photo)
  return (
    <Dialog title={words.details} isOpen={photo !== undefined} {...dialog}>
      {shown && (
        <Form key={shown.id} photo={shown} onSave={(change) => onSave(shown, change)} onClose={dialog.onClose} />
      )}
    </Dialog>
  )
}

type FormOptions = { photo: Photo; onSave: (change: PhotoChange) => void; onClose: () => void }

function Form({ photo, onSave, onClose }: FormOptions) {
  const { slug } = useProject()
  const [alt, setAlt] = useState(photo.alt)
  const [focal, setFocal] = useState(photo.focal)
  const src = photoAddress(slug, photo, PICTURE_PIXELS)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    onClose()
    if (alt !== photo.alt || !isSameCell(focal, photo.focal)) onSave({ alt, focal })
  }
  return (
    <form className="stack" onSubmit={onSubmit}>
      <TextInput
        label={words.alt}
        description={words.altHint}
        value={alt}
        maxLength={ALT_LENGTH}
        autoComplete="off"
        data-autofocus
        onChange={({ currentTarget }) => setAlt(currentTarget.value)}
      />
      <FocusField src={src} photo={photo} focal={focal} onChange={setFocal} />
      <OrCancel onCancel={onClose}>
        <Button type="submit">{words.save}</Button>
      </OrCancel>
    </form>
  )
}

type FocusProps = { src: string; photo: Photo; focal: Focal; onChange: (focal: Focal) => void }

function FocusField({ src, photo, focal, onChange }: FocusProps) {
  const group = useId()
  const hint = useId()
  const cellId = ({ x, y }: Focal) => `${group}-${x}-${y}`
  const onKeyDown = (event: KeyboardEvent) => {
    const next = cellAfter(event.key, focal)
    if (!next) return
    event.preventDefault()
    onChange(next)
    document.getElementById(cellId(next))?.focus()
  }
  return (
    <fieldset className="photo-focus" aria-describedby={hint}>
      <legend>{words.focus}</legend>
      <p id={hint} className="quiet small plain">
        {words.focusHint}
      </p>
      <div className="photo-focus-beside">
        <div className="photo-focus-picture">
          <img src={src} alt="" width={photo.width ?? undefined} height={photo.height ?? undefined} />
          <div className="photo-focus-grid">
            {focalCells.map((cell) => (
              <label key={cellId(cell)}>
                <input
                  id={cellId(cell)}
                  type="radio"
                  name={group}
                  className="visually-hidden"
                  aria-label={words.cell(cell.x, cell.y)}
                  checked={isSameCell(cell, focal)}
                  onChange={() => onChange(cell)}
                  onKeyDown={onKeyDown}
                />
                <span />
              </label>
            ))}
          </div>
        </div>
        <figure className="photo-focus-card">
          <img src={src} alt="" className={focalClass(focal)} />
          <figcaption className="quiet tiny">{words.asCard}</figcaption>
        </figure>
      </div>
    </fieldset>
  )
}
