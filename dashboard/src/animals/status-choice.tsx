// The status of an animal: three chips, of which one is chosen.

import type { PetStatus } from '@petstore-platform/contract/pets'
import { useId } from 'react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { statusOptions } from './views.ts'

type ChoiceProps = {
  value: PetStatus
  onChange: (status: PetStatus) => void
  isFixed?: boolean
  /** A consequence of what is chosen. */
  hint: string | undefined
}

export function StatusChoice({ value, onChange, hint, isFixed = false }: ChoiceProps) {
  const { kind } = useProject()
  const name = useId()
  return (
    <fieldset className="status-choice" aria-describedby={`${name}-hint`}>
      <legend>{texts.animals.status}</legend>
      <div className="row tight">
        {statusOptions(kind).map((option) => (
          <label key={option.value} className="chip">
            <input
              type="radio"
              className="visually-hidden"
              name={name}
              value={option.value}
              disabled={isFixed}
              checked={value === option.value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
      <p id={`${name}-hint`} className="quiet small plain" aria-live="polite">
        {hint}
      </p>
    </fieldset>
  )
}
