// The categories as chips, of which one is chosen. A store with many has a field to choose from instead.

import { kindOf } from '@petstore-platform/contract/portraits'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { kindIconOf } from './kind-icons.ts'

const CHIPS_MAX = 12

type Option = { value: string; label: string }
type ChipsProps = { options: readonly Option[]; chosen: string; onChoose: (value: string) => void }

export const fitsChips = (options: readonly Option[]): boolean => options.length <= CHIPS_MAX

export const CategoryChips = ({ options, chosen, onChoose }: ChipsProps) => (
  <div className="chips" role="group" aria-label={texts.animals.category} data-scrolls>
    <Chip isChosen={chosen === ''} onChoose={() => onChoose('')} label={texts.animals.all} />
    {options.map(({ value, label }) => (
      <Chip key={value} isChosen={chosen === value} onChoose={() => onChoose(value)} label={label} />
    ))}
  </div>
)

const Chip = ({ label, isChosen, onChoose }: { label: string; isChosen: boolean; onChoose: () => void }) => (
  <button type="button" className="chip" aria-pressed={isChosen} onClick={onChoose}>
    {kindOf(label) !== undefined && <Icon of={kindIconOf(label)} size={16} />}
    <span className="cut">{label}</span>
  </button>
)
