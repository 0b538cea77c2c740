// The save state of the draft: shown next to the input, and announced to screen readers.

import { Button } from '@mantine/core'
import * as texts from '../texts/texts.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import type { Kept, Saving } from './draft-autosave.ts'

const words = texts.site
const tones: Record<Saving, Tone> = {
  still: 'wait',
  waiting: 'plain',
  saving: 'plain',
  refused: 'bad',
  unsent: 'warn',
}

/** Stays in sight while one scrolls, and leads to what has to be decided. */
export const SaveNote = ({ kept, onDecide, onLook }: { kept: Kept; onDecide: () => void; onLook: () => void }) => (
  <div className="row tight save-note">
    <span role="status">
      <Badge tone={kept.draft.theirs ? 'warn' : tones[kept.saving]}>{said(kept)}</Badge>
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

function said({ draft, saving, savedAt, refusal }: Kept): string {
  if (draft.theirs) return words.undecided
  if (saving === 'refused' && refusal !== null) return refusal
  return saving === 'still' && savedAt !== null ? words.savedAt(timeOf(savedAt)) : words.saving[saving]
}

const timeOf = (iso: string) => new Date(iso).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
