// Who took an animal that is marked as adopted or sold, if people had asked for it: one of them, whose request is then
// completed, or a person who had not asked. The other requests are closed.

import type { ManagedOrder } from '@petstore-platform/contract/platform/orders'
import { Button, Radio } from '@mantine/core'
import { Heart } from 'lucide-react'
import { useState } from 'react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Dialog, type DialogProps } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { useLasting } from '../ui/lasting.ts'
import { stageLabel } from '../ui/stage.tsx'
import { OrCancel } from '../ui/with-cancel.tsx'

const { taker: words } = texts.profiles
const OTHER = 'other'

type TakerProps = Pick<DialogProps, 'onClose'> & {
  name: string
  /** Undefined: the dialog is closed. */
  asked: readonly ManagedOrder[] | undefined
  /** Undefined: none of those who asked. */
  onTaken: (by: ManagedOrder | undefined) => void
}

export function TakerDialog({ name, asked, onClose, onTaken }: TakerProps) {
  const { kind } = useProject()
  const shown = useLasting(asked)
  return (
    <Dialog isOpen={asked !== undefined} onClose={onClose} title={words.title[kind](name)}>
      {shown && <Question key={String(shown[0]?.id)} asked={shown} onClose={onClose} onTaken={onTaken} />}
    </Dialog>
  )
}

type QuestionProps = { asked: readonly ManagedOrder[] } & Pick<TakerProps, 'onClose' | 'onTaken'>

function Question({ asked, onClose, onTaken }: QuestionProps) {
  const { kind } = useProject()
  const [chosen, setChosen] = useState('')
  return (
    <div className="stack">
      <Radio.Group label={words.label} description={words.help} value={chosen} onChange={setChosen}>
        <div className="stack tight taker-choices">
          {asked.map(({ id, visitor, stage }, index) => (
            <Radio
              key={String(id)}
              value={String(id)}
              label={visitor.name}
              description={stageLabel(stage, kind)}
              {...(index === 0 && { 'data-autofocus': true })}
            />
          ))}
          <Radio value={OTHER} label={words.other} description={words.otherHelp} />
        </div>
      </Radio.Group>
      <OrCancel onCancel={onClose}>
        <Button
          disabled={chosen === ''}
          leftSection={<Icon of={Heart} size={18} />}
          onClick={() => onTaken(asked.find(({ id }) => String(id) === chosen))}
        >
          {words.action[kind]}
        </Button>
      </OrCancel>
    </div>
  )
}
