// One animal in the list: a row of the table, or a card. The list handles clicks and keys, so that a row only renders.

import { Clock, ListChecks } from 'lucide-react'
import { memo } from 'react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { AnimalPicture } from '../ui/animal-picture.tsx'
import { Badge } from '../ui/badge.tsx'
import { Meter } from '../ui/chart.tsx'
import { Icon } from '../ui/icon.tsx'
import { ageWords } from './age.ts'
import { daysHere } from './days-here.ts'
import type { ListView } from './grid-layout.ts'
import { kindIconOf } from './kind-icons.ts'
import type { Animal } from './rows.ts'
import { statusLabel, statusViews } from './views.ts'

const words = texts.animals
const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

type RowProps = {
  project: string
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

function Cells({ project, view, animal, category, now, isSelected, isSelectable }: RowProps & { animal: Animal }) {
  const { kind } = useProject()
  const { portrait, isHidden, isFeatured } = animal.profile
  const isCard = view === 'cards'
  const known = factsOf(animal, now)
  return (
    <>
      {isSelectable && (
        <div role="gridcell" className="animal-select">
          <input type="checkbox" tabIndex={-1} checked={isSelected} readOnly aria-label={words.select(animal.name)} />
        </div>
      )}
      <div role="gridcell" className="animal-what">
        <AnimalPicture
          project={project}
          cover={animal.cover}
          category={category}
          id={animal.id}
          chosen={portrait}
          size={isCard ? 240 : 36}
        />
        <span className="animal-name" title={animal.name}>
          {animal.name}
        </span>
        {!isCard && <span className="animal-added cut">{known || words.addedOn(dayOf(animal))}</span>}
      </div>
      <div role="gridcell" className="animal-category">
        <Icon of={kindIconOf(category)} size={isCard ? 14 : 18} />
        <span className="cut">{isCard && known !== '' ? known : category}</span>
        {/* The icon says it to those who see it. */}
        {isCard && known !== '' && <span className="visually-hidden">{category}</span>}
      </div>
      <div role="gridcell" className="animal-status">
        <Badge tone={statusViews[animal.status].tone}>{statusLabel(animal.status, kind)}</Badge>
        {animal.openRequests > 0 && <Badge tone="wait">{words.requests(animal.openRequests)}</Badge>}
        {isHidden && <Badge tone="plain">{words.hidden}</Badge>}
        {isFeatured && <Badge tone="plum">{words.featured}</Badge>}
      </div>
      <div role="gridcell" className="animal-here">
        <Here isCard={isCard} animal={animal} now={now} />
      </div>
    </>
  )
}

/** Breed and age; empty if neither is known. */
const factsOf = ({ profile }: Animal, now: number): string =>
  [profile.breed, ageWords(profile.born, new Date(now))].filter(Boolean).join(' · ')

const dayOf = ({ createdAt }: Animal) => dayFormat.format(new Date(createdAt))

/** One fact on a card: what is still to be written, otherwise how long it has been here. */
function Here({ isCard, animal, now }: { isCard: boolean; animal: Animal; now: number }) {
  const { completeness } = animal.profile
  const days = daysHere(animal, now)
  const isOpen = completeness < 100 && animal.status !== 'sold'
  if (!isCard)
    return (
      <>
        {days !== undefined && words.hereForDays(days)}
        {isOpen && <span className="animal-complete tiny">{words.complete(completeness)}</span>}
      </>
    )
  return (
    <>
      <Icon of={isOpen ? ListChecks : Clock} size={14} />
      <span className="cut">
        {isOpen ? words.complete(completeness) : days === undefined ? words.addedOn(dayOf(animal)) : words.here(days)}
      </span>
      {isOpen && completeness > 0 && <Meter share={completeness / 100} />}
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
