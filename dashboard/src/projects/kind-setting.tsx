// Project settings: whether the store is a shelter or a shop.

import { useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Section } from '../ui/page.tsx'
import { StoreKind } from '../ui/store-kind.tsx'

const words = texts.storeKind

export function KindSetting() {
  const { slug, kind, isKindChosen, mayEdit } = useProject()
  const change = useAction('changeProject', { renews: ['getProject', 'listProjects'], done: words.saved })
  // What was pressed is shown at once.
  const sent = change.isPending ? change.variables.body.kind : undefined
  return (
    <Section title={words.label}>
      <p className="quiet small plain">{mayEdit ? words.help : words.viewer}</p>
      <StoreKind
        chosen={sent ?? (isKindChosen ? kind : undefined)}
        isFixed={!mayEdit}
        onChoose={(chosen) => change.mutate({ project: slug, body: { kind: chosen } })}
      />
    </Section>
  )
}
