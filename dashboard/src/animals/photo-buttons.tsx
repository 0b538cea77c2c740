// The buttons that add photos: from the files or the album of the device, and on a phone with its camera.

import { Button } from '@mantine/core'
import { Camera, ImagePlus, type LucideIcon } from 'lucide-react'
import { useRef, type ChangeEvent } from 'react'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { placeOf } from './profile-form.ts'

const words = texts.photos

type ButtonsProps = { isFilled: boolean; isFull: boolean; onFiles: (files: readonly File[]) => void }

/** One of them is filled as long as there is nothing more important. */
export const PhotoButtons = ({ isFilled, isFull, onFiles }: ButtonsProps) => (
  <>
    <FileChoice of={Camera} label={words.take} isCamera isFull={isFull} onFiles={onFiles} />
    <FileChoice
      id={placeOf('photo')}
      of={ImagePlus}
      label={words.add}
      isFilled={isFilled}
      isFull={isFull}
      onFiles={onFiles}
    />
  </>
)

type ChoiceProps = {
  of: LucideIcon
  label: string
  id?: string
  isCamera?: boolean
  isFilled?: boolean
  isFull: boolean
  onFiles: (files: readonly File[]) => void
}

function FileChoice({ of, label, id, isCamera = false, isFilled = false, isFull, onFiles }: ChoiceProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <FileInput input={input} isCamera={isCamera} onFiles={onFiles} />
      <Button
        {...(id !== undefined && { id })}
        {...(!isFilled && { variant: 'default' })}
        className={isCamera ? 'photo-take' : ''}
        leftSection={<Icon of={of} size={18} />}
        disabled={isFull}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
    </>
  )
}

type InputProps = {
  input: React.RefObject<HTMLInputElement | null>
  isCamera: boolean
  onFiles: (files: readonly File[]) => void
}

/** Not shown, and not reached by keys: its button is. */
export function FileInput({ input, isCamera, onFiles }: InputProps) {
  const onChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    onFiles([...(currentTarget.files ?? [])])
    // The same file can be chosen again.
    currentTarget.value = ''
  }
  return (
    <input
      ref={input}
      type="file"
      hidden
      accept="image/*"
      onChange={onChange}
      {...(isCamera ? { capture: 'environment' } : { multiple: true })}
    />
  )
}
