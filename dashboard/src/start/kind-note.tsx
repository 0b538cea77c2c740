// Asks once whether the store is a shelter or a shop, of a project that is older than the question. It can be put off,
// in this browser; the project settings ask as well.

import { Button } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import type { ProjectKind } from '@petstore-platform/contract/platform/projects'
import { X } from 'lucide-react'
import { useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { IconButton } from '../ui/icon.tsx'

const words = texts.storeKind

export function KindNote() {
  const { slug, isKindChosen, mayEdit } = useProject()
  const [isHidden, setHidden] = useLocalStorage({
    key: `petstore-kind-asked-${slug}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  // The button is gone; the keyboard stays on the page.
  const leave = () => document.getElementById('content')?.focus()
  const change = useAction('changeProject', {
    renews: ['getProject', 'listProjects'],
    done: words.saved,
    onDone: leave,
  })
  if (isKindChosen || isHidden || !mayEdit) return null
  const hide = () => {
    setHidden(true)
    leave()
  }
  return (
    <section className="note row whole home-kind" aria-label={words.label}>
      <div className="grow row">
        <span className="grow home-kind-words">
          <strong>{words.ask}</strong> {words.help} {words.later}
        </span>
        <span className="row tight">
          {(Object.keys(words.kinds) as ProjectKind[]).map((kind) => (
            <Button
              key={kind}
              size="xs"
              variant="default"
              loading={change.isPending && change.variables.body.kind === kind}
              onClick={() => change.mutate({ project: slug, body: { kind } })}
            >
              {words.kinds[kind].short}
            </Button>
          ))}
        </span>
      </div>
      <IconButton of={X} size="xs" aria-label={words.close} onClick={hide} />
    </section>
  )
}
