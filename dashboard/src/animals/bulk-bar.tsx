// Above the list: how many animals there are. Floating at the bottom, once some are selected: what to do with them.

import { Button, Checkbox } from '@mantine/core'
import { X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { IconButton } from '../ui/icon.tsx'
import { BulkMenu, type BulkActs } from './bulk-menu.tsx'
import type { ListView } from './grid-layout.ts'
import { KeysHint } from './keys-hint.tsx'
import type { Selection } from './selection.ts'
import type { Listed } from './use-animals.ts'
import { statusLabel, statusList } from './views.ts'

const { bulk } = texts.animals

type CountProps = { listed: Listed; selection: Selection; isSelectable: boolean; view: ListView }

export function CountBar({ listed, selection, isSelectable, view }: CountProps) {
  useSyncExternalStore(selection.subscribe, selection.version)
  const { rows, loaded, isComplete, sortedMost } = listed
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
      <span className="quiet num">{countWords(listed)}</span>
      {sortedMost !== undefined && <span className="quiet">{texts.animals.sortedMost(sortedMost)}</span>}
      <KeysHint view={view} />
    </div>
  )
}

type BulkProps = BulkActs & { selection: Selection }

/** Its number is always in the page, so that screen readers hear the first selection too. */
export function BulkBar({ selection, ...acts }: BulkProps) {
  useSyncExternalStore(selection.subscribe, selection.version)
  const { kind } = useProject()
  const size = selection.size()
  return (
    <div className={size > 0 ? 'bulk' : 'visually-hidden'}>
      <span aria-live="polite" className="num">
        {size > 0 && bulk.selected(size)}
      </span>
      {size > 0 && (
        <>
          <div className="row tight" role="group" aria-label={bulk.mark}>
            <span className="bulk-mark" aria-hidden>
              {bulk.mark}
            </span>
            {statusList.map((status) => (
              <Button key={status} size="compact-sm" variant="default" onClick={() => acts.onChange({ status })}>
                {statusLabel(status, kind)}
              </Button>
            ))}
          </div>
          <BulkMenu size={size} {...acts} />
          <IconButton of={X} size="compact-sm" aria-label={bulk.clear} onClick={selection.clear} />
        </>
      )}
    </div>
  )
}

function countWords({ loaded, count, isCounted }: Listed): string {
  if (isCounted) return texts.animals.counted(count)
  return loaded === 0 ? texts.common.loading : texts.animals.countedSoFar(loaded)
}
