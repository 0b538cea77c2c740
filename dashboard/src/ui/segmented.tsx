// Few choices side by side, each with its icon, of which one is taken.

import type { LucideIcon } from 'lucide-react'
import { Icon } from './icon.tsx'

type SegmentedProps<Value extends string> = {
  label: string
  choices: Readonly<Record<Value, { label: string; icon: LucideIcon }>>
  chosen: Value
  onChoose: (value: Value) => void
  className?: string
}

export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { label, choices, chosen, onChoose, className = '' } = props
  return (
    <div className={`seg ${className}`} role="group" aria-label={label}>
      {(Object.keys(choices) as Value[]).map((value) => (
        <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
          <Icon of={choices[value].icon} size={16} />
          {choices[value].label}
        </button>
      ))}
    </div>
  )
}
