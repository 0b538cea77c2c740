// One animal in the table: a row on a desktop, a card on a phone. The table handles
// clicks and keys, so that a row only renders.

import { memo } from 'react'
import { texts } from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import type { Animal } from './rows.ts'
import { statusViews } from './views.ts'

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

type RowProps = {
  /** Undefined while it is on its way. */
  animal: Animal | undefined
  index: number
  top: number
  category: string
  isActive: boolean
  isSelected: boolean
  isSelectable: boolean
}

export const rowId = (index: number) => `animal-${index}`

export const AnimalRow = memo(function AnimalRow(props: RowProps) {
  const { animal, index, top, isActive, isSelected, isSelectable } = props
  return (
    <div
      role="row"
      id={rowId(index)}
      data-index={index}
      // The first row is that of the headings.
      aria-rowindex={index + 2}
      aria-selected={isSelectable ? isSelected : undefined}
      className={`animal-row${isActive ? ' active' : ''}${isSelected ? ' selected' : ''}`}
      style={{ transform: `translateY(${top}px)` }}
    >
      {animal ? <Cells {...props} animal={animal} /> : <Placeholder isSelectable={isSelectable} />}
    </div>
  )
})

function Cells({ animal, category, isSelected, isSelectable }: RowProps & { animal: Animal }) {
  const { label, tone } = statusViews[animal.status]
  return (
    <>
      {isSelectable && (
        <div role="gridcell" className="animal-select">
          <input
            type="checkbox"
            tabIndex={-1}
            checked={isSelected}
            readOnly
            aria-label={texts.animals.select(animal.name)}
          />
        </div>
      )}
      <div role="gridcell" className="animal-name" title={animal.name}>
        {animal.name}
      </div>
      <div role="gridcell" className="animal-category">
        {category}
      </div>
      <div role="gridcell" className="animal-status">
        <Badge tone={tone}>{label}</Badge>
      </div>
      <div role="gridcell" className="animal-added">
        {dayFormat.format(new Date(animal.createdAt))}
      </div>
    </>
  )
}

const Placeholder = ({ isSelectable }: { isSelectable: boolean }) => (
  <>
    {isSelectable && <div role="gridcell" className="animal-select" />}
    <div role="gridcell" className="animal-name">
      <span className="animal-place" />
      <span className="visually-hidden">{texts.animals.loadingRow}</span>
    </div>
    <div role="gridcell" className="animal-category" />
    <div role="gridcell" className="animal-status" />
    <div role="gridcell" className="animal-added" />
  </>
)
