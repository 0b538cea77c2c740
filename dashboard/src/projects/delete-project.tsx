// Deletes a project: states what is lost, and requires its short name to be typed, so
// that it does not happen by accident.

import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Confirm } from '../ui/confirm.tsx'
import { Icon } from '../ui/icon.tsx'
import { Section } from '../ui/page.tsx'
import { forgetProject } from './clear-project-cache.ts'

const { deletion: words } = texts.projects

export function DeleteProject() {
  const { isOwner } = useProject()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Section title={words.zone}>
      {isOwner ? (
        <>
          <p className="quiet plain">{words.text}</p>
          <div>
            <Button
              data-tone="danger"
              variant="default"
              leftSection={<Icon of={Trash2} size={16} />}
              onClick={() => setIsOpen(true)}
            >
              {words.action}
            </Button>
          </div>
          <Question isOpen={isOpen} onClose={() => setIsOpen(false)} />
        </>
      ) : (
        <p className="quiet plain">{words.onlyOwners}</p>
      )}
    </Section>
  )
}

function Question({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { slug, name } = useProject()
  const [typed, setTyped] = useState('')
  const cache = useQueryClient()
  const navigate = useNavigate()
  const remove = useAction('deleteProject', {
    done: words.done(name),
    onDone: () => void navigate({ to: '/projects' }).then(() => forgetProject(cache, slug)),
  })
  const isReady = typed.trim() === slug
  return (
    <Confirm
      title={words.title(name)}
      isOpen={isOpen}
      onClose={onClose}
      onGone={() => setTyped('')}
      action={words.confirm}
      onConfirm={() => remove.mutate({ project: slug, body: { slug: typed.trim() } })}
      isBusy={remove.isPending}
      isReady={isReady}
    >
      <p className="plain">{words.lost}</p>
      <ul className="losses">
        {words.losses.map((loss) => (
          <li key={loss}>{loss}</li>
        ))}
      </ul>
      <p className="note warn plain">{words.slug(slug)}</p>
      <TextInput
        label={words.repeat(slug)}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        data-autofocus
        autoCapitalize="none"
        autoCorrect="off"
        autoComplete="off"
        spellCheck={false}
      />
    </Confirm>
  )
}
