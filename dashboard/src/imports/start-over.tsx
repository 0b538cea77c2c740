// Gives an import up before anything was imported, and goes back to choosing a file.

import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Confirm } from '../ui/confirm.tsx'
import { addressOf } from './steps.ts'

const words = texts.imports

export function StartOver({ importId }: { importId: string }) {
  const { slug } = useProject()
  const navigate = useNavigate()
  const [isOpen, setIsOpen] = useState(false)
  const discard = useAction('discardImport', {
    renews: ['listImports'],
    onDone: () => void navigate({ to: addressOf.choose, params: { project: slug } }),
  })
  return (
    <>
      <Button size="xs" variant="subtle" onClick={() => setIsOpen(true)}>
        {words.startOver}
      </Button>
      <Confirm
        title={words.startOver}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        action={words.startOver}
        isBusy={discard.isPending}
        onConfirm={() => discard.mutate({ project: slug, importId })}
      >
        <p>{words.startOverText}</p>
      </Confirm>
    </>
  )
}
