// The drawing that visitors see until there is a photo, and the way to another one.

import { Button } from '@mantine/core'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Portrait } from '../ui/portrait.tsx'
import { PortraitDialog } from './portrait-dialog.tsx'
import type { FormProps } from './profile-form.ts'

const words = texts.profiles

type DrawingProps = Pick<FormProps, 'fields' | 'edit' | 'isFixed'> & { id: bigint; category: string }

export function DrawingChoice({ id, category, fields, edit, isFixed }: DrawingProps) {
  const [isChoosing, setIsChoosing] = useState(false)
  return (
    <div className="profile-picture">
      <Portrait category={category} id={id} chosen={fields.portrait} size={208} />
      <div className="stack tight">
        <p className="quiet small plain">{texts.photos.standIn}</p>
        {!isFixed && (
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon of={Pencil} size={16} />}
            onClick={() => setIsChoosing(true)}
          >
            {words.choosePortrait}
          </Button>
        )}
      </div>
      <PortraitDialog
        isOpen={isChoosing}
        onClose={() => setIsChoosing(false)}
        id={id}
        category={category}
        chosen={fields.portrait}
        onChoose={(portrait) => edit({ portrait })}
      />
    </div>
  )
}
