// The way of a request through its stages, and where it stands. One that has ended otherwise than with a home stands
// nowhere on it; its badge says so.

import type { OrderStage } from '@petstore-platform/contract/platform/orders'
import { Check } from 'lucide-react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { stageLabel } from '../ui/stage.tsx'

const words = texts.orders
const way = ['new', 'talking', 'visit', 'approved', 'completed'] as const satisfies readonly OrderStage[]

export function StageStrip({ stage }: { stage: OrderStage }) {
  const { kind } = useProject()
  const reached = (way as readonly OrderStage[]).indexOf(stage)
  return (
    <ol className="stages" aria-label={words.stagesLabel}>
      {way.map((name, index) => (
        <li key={name} aria-current={index === reached ? 'step' : undefined} data-done={index < reached || undefined}>
          {index < reached && (
            <>
              <Icon of={Check} size={16} />
              <span className="visually-hidden">{words.isDone}</span>
            </>
          )}
          {stageLabel(name, kind)}
        </li>
      ))}
    </ol>
  )
}
