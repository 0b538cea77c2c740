// What the state of an autosaved draft is called. Pure.

import type { Tone } from './badge.tsx'
import type { Saving } from './autosave.ts'

export type SaveWords = {
  saving: Readonly<Record<Saving, string>>
  savedAt: (time: string) => string
  undecided: string
}
type SaveState = {
  draft: { theirs: object | null }
  saving: Saving
  savedAt: string | null
  refusal: string | null
}

const tones: Record<Saving, Tone> = {
  still: 'wait',
  waiting: 'plain',
  saving: 'plain',
  refused: 'bad',
  unsent: 'warn',
}

export const saveTone = ({ draft, saving }: SaveState): Tone => (draft.theirs ? 'warn' : tones[saving])

export function saveWords({ draft, saving, savedAt, refusal }: SaveState, words: SaveWords): string {
  if (draft.theirs) return words.undecided
  if (saving === 'refused' && refusal !== null) return refusal
  return saving === 'still' && savedAt !== null ? words.savedAt(timeOf(savedAt)) : words.saving[saving]
}

const timeOf = (iso: string) => new Date(iso).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
