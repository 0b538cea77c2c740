// The save state of the draft: shown next to the input, and announced to screen readers.

import { Button } from '@mantine/core'
import * as texts from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { saveTone, saveWords } from '../ui/save-state.ts'
import type { Kept } from './draft-autosave.ts'

const words = texts.site

/** Stays in sight while one scrolls, and leads to what has to be decided. */
export const SaveNote = ({ kept, onDecide, onLook }: { kept: Kept; onDecide: () => void; onLook: () => void }) => (
  <div className="row tight save-note">
    <span role="status">
      <Badge tone={saveTone(kept)}>{saveWords(kept, words)}</Badge>
    </span>
    {kept.draft.theirs && (
      <Button size="compact-xs" variant="default" onClick={onDecide}>
        {words.decide}
      </Button>
    )}
    <Button size="compact-xs" variant="default" className="save-note-look" onClick={onLook}>
      {words.toPreview}
    </Button>
  </div>
)
