// Undoes an import that was applied, after a question.

import { Button } from '@mantine/core'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Confirm } from '../ui/confirm.tsx'
import { Icon } from '../ui/icon.tsx'
import { timeWords } from '../ui/time.tsx'
import { useStepAction } from './use-step-action.ts'

const words = texts.imports

export function UndoButton({ importId, until }: { importId: string; until: string }) {
  const { slug } = useProject()
  const [isOpen, setIsOpen] = useState(false)
  const undo = useStepAction('undoImport', importId, 'done')
  return (
    <>
      <Button variant="default" leftSection={<Icon of={Undo2} size={18} />} onClick={() => setIsOpen(true)}>
        {words.undo}
      </Button>
      <span className="quiet small">{words.undoUntil(timeWords(until))}</span>
      <Confirm
        title={words.undoTitle}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        action={words.undoDo}
        isBusy={undo.isPending}
        onConfirm={() => undo.mutate({ project: slug, importId })}
      >
        <p>{words.undoText}</p>
      </Confirm>
    </>
  )
}
