// Above the table: how many animals there are, or how many are selected and what to do
// with them.

import type { PetStatus } from '@petstore/contract/pets'
import { Button, Checkbox } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { texts } from '../texts/texts.ts'
import type { Selection } from './selection.ts'
import type { Listed } from './use-animals.ts'
import { statusList, statusViews } from './views.ts'

const { bulk } = texts.animals

type BarProps = { listed: Listed; selection: Selection; isSelectable: boolean; onMark: (status: PetStatus) => void }

export function BulkBar({ listed, selection, isSelectable, onMark }: BarProps) {
  useSyncExternalStore(selection.subscribe, selection.version)
  const { rows, loaded, isComplete } = listed
  const size = selection.size()
  const isAll = size > 0 && size >= loaded
  return (
    <div className="animal-bar row">
      {isSelectable && (
        <Checkbox
          label={isComplete ? texts.animals.selectAll : texts.animals.selectAllLoaded(loaded)}
          checked={isAll}
          indeterminate={size > 0 && !isAll}
          disabled={loaded === 0}
          onChange={() => (isAll ? selection.clear() : selection.add(rows.slice(0, loaded)))}
        />
      )}
      <span aria-live={size > 0 ? 'polite' : 'off'} className={size > 0 ? 'animal-count' : 'animal-count quiet'}>
        {size > 0 ? bulk.selected(size) : countWords(listed)}
      </span>
      {size > 0 && (
        <div className="row animal-marks" role="group" aria-label={bulk.mark}>
          <span className="quiet small" aria-hidden>
            {bulk.mark}
          </span>
          {statusList.map((status) => (
            <Button key={status} size="compact-sm" variant="default" onClick={() => onMark(status)}>
              {statusViews[status].label}
            </Button>
          ))}
          <Button size="compact-sm" variant="subtle" onClick={selection.clear}>
            {bulk.clear}
          </Button>
        </div>
      )}
    </div>
  )
}

function countWords({ loaded, count, isCounted }: Listed): string {
  if (isCounted) return texts.animals.counted(count)
  return loaded === 0 ? texts.common.loading : texts.animals.countedSoFar(loaded)
}
