// Confirms the deletion of an animal; or explains why it cannot be deleted while it has
// an order.

import { Button } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import type { Animal } from './rows.ts'

const { dialog } = texts.animals

type QuestionProps = {
  animal: Pick<Animal, 'id' | 'name'>
  onBack: () => void
  onDeleted: () => void
  onClose: () => void
}

export function DeleteQuestion({ animal, onBack, onDeleted, onClose }: QuestionProps) {
  const { slug, kind } = useProject()
  const [refusal, setRefusal] = useState<string>()
  const remove = useAction('deleteAnimal', {
    done: dialog.wasDeleted(animal.name),
    onDone: () => {
      onDeleted()
      onClose()
    },
    onRefused: ({ message }) => {
      setRefusal(message)
      return true
    },
  })
  return (
    <div className="stack">
      {refusal === undefined ? (
        <p className="plain">{dialog.deleteText}</p>
      ) : (
        <div className="note bad" role="alert">
          {refusal} {dialog.deleteInstead[kind]}
        </div>
      )}
      <div className="row">
        {refusal === undefined && (
          <Button
            data-tone="danger"
            loading={remove.isPending}
            onClick={() => remove.mutate({ project: slug, petId: animal.id })}
            data-autofocus
          >
            {dialog.delete}
          </Button>
        )}
        <Button variant="default" onClick={onBack}>
          {refusal === undefined ? texts.common.cancel : texts.common.back}
        </Button>
      </div>
    </div>
  )
}
