// The steps of an import, and which one this is. Each has an address; those that are open can be gone back to.

import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { addressOf, steps, type ImportStep } from './steps.ts'

const words = texts.imports

type StepsProps = {
  at: ImportStep
  /** Undefined until there is an import. */
  importId?: string
  /** Those that a person may go to now. */
  open?: readonly ImportStep[]
}

export const ImportSteps = ({ at, importId, open = [] }: StepsProps) => (
  <ol className="import-steps" aria-label={words.stepsLabel}>
    {steps.map((step, index) => {
      const isPast = index < steps.indexOf(at)
      const isLink = step !== at && open.includes(step)
      return (
        <li key={step} aria-current={step === at ? 'step' : undefined} className={isPast ? 'past' : undefined}>
          <StepLink step={step} importId={isLink ? importId : undefined}>
            <span className="import-step" aria-hidden>
              {isPast ? <Icon of={Check} size={16} /> : index + 1}
            </span>
            <span className="import-step-name">{words.steps[step]}</span>
          </StepLink>
        </li>
      )
    })}
  </ol>
)

type StepLinkProps = { step: ImportStep; importId: string | undefined; children: ReactNode }

function StepLink({ step, importId, children }: StepLinkProps) {
  const { slug } = useProject()
  if (importId === undefined) return <span className="import-step-place">{children}</span>
  return (
    <Link className="import-step-place" to={addressOf[step]} params={{ project: slug, import: importId }}>
      {children}
    </Link>
  )
}
