// An action that moves an import on, and the page to the step that follows. The page knows the new state before it is
// there: otherwise the address would lead back to the step before.

import type { OperationId } from '@petstore-platform/contract/platform/client'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { query, useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import { addressOf, type ImportStep } from './steps.ts'
import type { FoundImport } from './views.ts'

type Mover = Extract<OperationId, 'readImport' | 'putImportMapping' | 'putImportValues' | 'applyImport' | 'undoImport'>

export function useStepAction<Id extends Mover>(id: Id, importId: string, to: ImportStep) {
  const { slug: project } = useProject()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const address = { to: addressOf[to], params: { project, import: importId } }
  const action = useAction(id, {
    renews: ['getImport', 'listImports', 'listImportRows'],
    onDone: (received) => {
      cache.setQueryData(query('getImport', { project, importId }).queryKey, received as FoundImport)
      void navigate(address)
    },
  })
  return { ...action, goOn: () => void navigate(address) }
}
