// Removes a member from the project, or leaves it, and decides what becomes of the API keys
// that the member created. After leaving, the person is at their other projects.

import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { KeyChoice } from '@petstore-platform/contract/platform/members'
import { useState } from 'react'
import { useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Confirm } from '../ui/confirm.tsx'
import { forgetProject } from './clear-project-cache.ts'
import { KeysChoice, useKeysOf } from './keys-choice.tsx'
import type { Member } from './views.ts'

const { members: words } = texts.projects

type RemoveProps = {
  member: Member
  isOneself: boolean
  isOpen: boolean
  onClose: () => void
  onLastOwner: (isLast: boolean) => void
}

export function RemoveMember({ member: { id, name }, isOneself, isOpen, onClose, onLastOwner }: RemoveProps) {
  const { slug, mayEdit } = useProject()
  const [chosen, choose] = useState<KeyChoice>()
  const created = useKeysOf(id, isOpen)
  // Only admins and owners revoke keys: the others leave them as they are.
  const isAsked = mayEdit && created !== undefined && created.length > 0
  const keys = isAsked ? chosen : 'keep'
  const cache = useQueryClient()
  const navigate = useNavigate()
  const remove = useAction('removeMember', {
    renews: isOneself ? [] : ['listMembers', 'listInvitations', 'listKeys', 'getProject'],
    done: isOneself ? words.left : words.removed(name),
    onDone: () => {
      onClose()
      if (isOneself) void navigate({ to: '/projects' }).then(() => forgetProject(cache, slug))
    },
    onRefused: ({ code }) => {
      onClose()
      onLastOwner(code === 'last_owner')
      return code === 'last_owner'
    },
  })
  return (
    <Confirm
      title={isOneself ? words.leaveTitle : words.removeTitle(name)}
      isOpen={isOpen}
      onClose={onClose}
      action={isOneself ? words.leave : words.remove}
      onConfirm={() => remove.mutate({ project: slug, accountId: id, ...(keys && { keys }) })}
      isBusy={remove.isPending}
      isReady={created !== undefined && keys !== undefined}
    >
      <p className="plain">{isOneself ? words.leaveText : words.removeText}</p>
      {isAsked && <KeysChoice keys={created} chosen={chosen} onChoose={choose} />}
    </Confirm>
  )
}
