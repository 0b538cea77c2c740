// The drawing that visitors see until there is a photo, and the way to another one.

import { Button } from '@mantine/core'
import { Pencil } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Portrait } from '../ui/portrait.tsx'
import type { FormProps } from './profile-form.ts'

const words = texts.profiles

type DrawingProps = Pick<FormProps, 'fields' | 'isFixed'> & { id: bigint; category: string; onOpen: () => void }

export function DrawingChoice({ id, category, fields, isFixed, onOpen }: DrawingProps) {
  return (
    <div className="profile-picture">
      <Portrait category={category} id={id} chosen={fields.portrait} size={208} />
      <div className="stack tight">
        <p className="quiet small plain">{texts.photos.standIn}</p>
        {!isFixed && (
          <Button variant="default" size="xs" leftSection={<Icon of={Pencil} size={16} />} onClick={onOpen}>
            {words.choosePortrait}
          </Button>
        )}
      </div>
    </div>
  )
}
