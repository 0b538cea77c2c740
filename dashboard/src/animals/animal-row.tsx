// One animal in the list: a row of the table, or a card. The list handles clicks and keys, so that a row only renders.

import { Clock } from 'lucide-react'
import { memo } from 'react'
import * as texts from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Icon } from '../ui/icon.tsx'
import { Portrait } from '../ui/portrait.tsx'
import { daysHere } from './days-here.ts'
import type { ListView } from './grid-layout.ts'
import { kindIconOf } from './kind-icons.ts'
import type { Animal } from './rows.ts'
import { statusViews } from './views.ts'

const words = texts.animals
const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

type RowProps = {
  view: ListView
  /** Undefined while it is on its way. */
  animal: Animal | undefined
  index: number
  now: number
  category: string
  isActive: boolean
  isSelected: boolean
  isSelectable: boolean
}

export const rowId = (index: number) => `animal-${index}`

export const AnimalRow = memo(function AnimalRow(props: RowProps) {
  const { view, animal, index, isActive, isSelected, isSelectable } = props
  const look = view === 'cards' ? 'animal-card' : 'animal-row'
  return (
    <div
      role="row"
      id={rowId(index)}
      data-index={index}
      // The first row is that of the headings.
      aria-rowindex={index + 2}
      aria-selected={isSelectable ? isSelected : undefined}
      className={`${look}${isActive ? ' active' : ''}${isSelected ? ' selected' : ''}`}
    >
      {animal ? <Cells {...props} animal={animal} /> : <Placeholder isSelectable={isSelectable} />}
    </div>
  )
})

function Cells({ view, animal, category, now, isSelected, isSelectable }: RowProps & { animal: Animal }) {
  const { label, tone } = statusViews[animal.status]
  const isCard = view === 'cards'
  const days = daysHere(animal, now)
  const added = words.addedOn(dayFormat.format(new Date(animal.createdAt)))
  return (
    <>
      {isSelectable && (
        <div role="gridcell" className="animal-select">
          <input type="checkbox" tabIndex={-1} checked={isSelected} readOnly aria-label={words.select(animal.name)} />
        </div>
      )}
      <div role="gridcell" className="animal-what">
        <Portrait category={category} id={animal.id} size={isCard ? 240 : 36} />
        <span className="animal-name" title={animal.name}>
          {animal.name}
        </span>
        {!isCard && <span className="animal-added">{added}</span>}
      </div>
      <div role="gridcell" className="animal-category">
        <Icon of={kindIconOf(category)} size={isCard ? 14 : 18} />
        <span className="cut">{category}</span>
      </div>
      <div role="gridcell" className="animal-status">
        <Badge tone={tone}>{label}</Badge>
      </div>
      <div role="gridcell" className="animal-here">
        {isCard ? (
          <>
            <Icon of={Clock} size={14} />
            <span className="cut">{days === undefined ? added : words.here(days)}</span>
          </>
        ) : (
          days !== undefined && words.hereForDays(days)
        )}
      </div>
    </>
  )
}

const Placeholder = ({ isSelectable }: { isSelectable: boolean }) => (
  <>
    {isSelectable && <div role="gridcell" className="animal-select" />}
    <div role="gridcell" className="animal-what">
      <span className="animal-picture" />
      <span className="animal-name">
        <span className="animal-place" />
        <span className="visually-hidden">{words.loadingRow}</span>
      </span>
    </div>
    <div role="gridcell" className="animal-category" />
    <div role="gridcell" className="animal-status" />
    <div role="gridcell" className="animal-here" />
  </>
)
