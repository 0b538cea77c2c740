// Chooses the drawing that stands in for a photo.

import { Button } from '@mantine/core'
import { portraitNames, type PortraitName } from '@petstore-platform/contract/portraits'
import { Check } from 'lucide-react'
import { useId } from 'react'
import * as texts from '../texts/texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Portrait } from '../ui/portrait.tsx'
import { portraitWords } from './profile-words.ts'

const words = texts.profiles

type PortraitDialogProps = {
  isOpen: boolean
  onClose: () => void
  id: bigint
  category: string
  chosen: PortraitName | null
  onChoose: (name: PortraitName | null) => void
}

export function PortraitDialog({ isOpen, onClose, id, category, chosen, onChoose }: PortraitDialogProps) {
  const group = useId()
  const options: readonly (PortraitName | null)[] = [null, ...portraitNames]
  return (
    <Dialog title={words.portraitTitle} isOpen={isOpen} onClose={onClose} isWide>
      <div className="stack">
        <div className="portrait-options" role="radiogroup" aria-label={words.portraitTitle}>
          {options.map((name) => (
            <label key={name ?? ''} className="portrait-option">
              <input
                type="radio"
                name={group}
                checked={name === chosen}
                onChange={() => onChoose(name)}
                className="visually-hidden"
              />
              <span className="portrait-option-picture">
                <Portrait category={category} id={id} chosen={name} size={96} />
                <Icon of={Check} size={14} />
              </span>
              <span className="tiny">{name === null ? words.ownPortrait : portraitWords(name)}</span>
            </label>
          ))}
        </div>
        <div className="row">
          <Button onClick={onClose}>{words.portraitDone}</Button>
        </div>
      </div>
    </Dialog>
  )
}
