// Where an import is: a file is chosen, uploaded, read, and then there is a result.

import { Check } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'

const { steps, stepsLabel } = texts.animals.imports
const order = ['choose', 'upload', 'read', 'done'] as const

export type ImportStep = (typeof order)[number]

export const ImportSteps = ({ at }: { at: ImportStep }) => (
  <ol className="import-steps" aria-label={stepsLabel}>
    {order.map((step, index) => {
      const isPast = index < order.indexOf(at)
      return (
        <li key={step} aria-current={step === at ? 'step' : undefined} className={isPast ? 'past' : undefined}>
          <span className="import-step" aria-hidden>
            {isPast ? <Icon of={Check} size={16} /> : index + 1}
          </span>
          {steps[step]}
        </li>
      )
    })}
  </ol>
)
