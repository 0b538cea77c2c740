// Saves a draft automatically: a short pause after the last change, one request at a
// time, and always with the version that was loaded. It does not outlive the page, but it
// tracks unsaved changes, so that leaving needs a confirmation. The server validates: a
// refusal is shown next to the field that it names. That field keeps what was typed, and
// is held back: the others are saved.

import { PlatformError } from '@petstore-platform/contract/platform/client'
import { draftsOf, type Draft, type FieldKind, type NameIn, type Versioned } from './draft.ts'

const PAUSE_MS = 600

/** The state of the latest change. */
export type Saving = 'still' | 'waiting' | 'saving' | 'refused' | 'unsent'

export type FieldFaults<Place extends string> = Partial<Record<Place, string>>

export type AutosaveState<Stored extends Versioned, Fields extends object, Place extends string> = {
  draft: Draft<Stored, Fields>
  saving: Saving
  savedAt: string | null
  faults: FieldFaults<Place>
  /** A refusal that names no field. */
  refusal: string | null
}

export type AutosaveKind<Stored extends Versioned, Fields extends object, Place extends string> = FieldKind<
  Stored,
  Fields
> & {
  /** What cannot be sent, since it cannot be read. */
  unreadable?: (fields: Fields) => FieldFaults<Place>
  /** Where the server's refusal belongs; nothing if it names no field. */
  faultsOf: (message: string) => FieldFaults<Place>
  /** The fields that are wrong together where there is a fault. */
  heldBack: (place: Place) => readonly NameIn<Fields>[]
}

export type AutosaveDeps<Stored extends Versioned, Fields extends object> = {
  /** Writes the fields, based on what was read last. */
  put: (fields: Fields, base: Stored) => Promise<Stored>
  get: () => Promise<Stored>
  now: () => Date
  pauseMs?: number | undefined
}

export type Autosave<Stored extends Versioned, Fields extends object, Place extends string> = {
  now: () => AutosaveState<Stored, Fields, Place>
  watch: (watcher: () => void) => () => void
  edit: (change: Partial<Fields>) => void
  /** True once the server has all that is in the form. */
  save: () => Promise<boolean>
  /** The draft as the server returned it now. Any response also means that it is reachable again. */
  receive: (stored: Stored) => void
  keepMine: () => void
  takeTheirs: () => void
  /** The person has read what others changed. */
  read: () => void
  isChanged: () => boolean
}

export function createAutosave<Stored extends Versioned, Fields extends object, Place extends string>(
  kind: AutosaveKind<Stored, Fields, Place>,
  stored: Stored,
  { put, get, now, pauseMs = PAUSE_MS }: AutosaveDeps<Stored, Fields>,
): Autosave<Stored, Fields, Place> {
  const drafts = draftsOf(kind)
  const { isChanged } = drafts
  let kept: AutosaveState<Stored, Fields, Place> = {
    draft: drafts.draftOf(stored),
    saving: 'still',
    savedAt: null,
    faults: {},
    refusal: null,
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  let underWay: Promise<boolean> | undefined
  const watchers = new Set<() => void>()

  function set(change: Partial<typeof kept>): void {
    kept = { ...kept, ...change }
    for (const watcher of watchers) watcher()
  }

  /** Continues with a draft: saves it soon, waits for a decision, or has nothing to do. */
  function goOn(draft: typeof kept.draft): void {
    clearTimeout(timer)
    const isOpen = isChanged(draft) || draft.theirs !== null
    set({ draft, ...(isOpen ? { saving: 'waiting' } : { saving: 'still', faults: {}, refusal: null }) })
    if (isChanged(draft)) timer = setTimeout(() => void save(), pauseMs)
  }

  async function save(): Promise<boolean> {
    clearTimeout(timer)
    if (underWay) {
      await underWay
      return save()
    }
    if (!isChanged(kept.draft)) return true
    if (kept.draft.theirs) return false
    underWay = send().finally(() => (underWay = undefined))
    return underWay
  }

  async function send(): Promise<boolean> {
    clearTimeout(timer)
    return sendWithout(kind.unreadable?.(kept.draft.mine) ?? {})
  }

  /** Sends what has no fault: a field with one is sent as the server has it. */
  async function sendWithout(faults: FieldFaults<Place>): Promise<boolean> {
    const { base, mine } = kept.draft
    const places = Object.keys(faults) as Place[]
    const right = drafts.holdingBack(kept.draft, places.flatMap(kind.heldBack))
    if (!isChanged(right)) {
      set({ saving: 'refused', faults, refusal: null })
      return false
    }
    set({ saving: 'saving' })
    try {
      const written = await put(right.mine, base)
      set({ savedAt: now().toISOString(), faults, refusal: null })
      const draft = drafts.saved(kept.draft, written)
      // What is held back waits for the person, unless they have typed since.
      if (places.length > 0 && draft.mine === mine) set({ draft, saving: 'refused' })
      else goOn(draft)
      return !isChanged(kept.draft)
    } catch (error) {
      if (!(error instanceof PlatformError)) set({ saving: 'unsent' })
      else if (error.code === 'stale_version') return catchUp()
      else return refused(error, faults)
      return false
    }
  }

  /** Without the field that the refusal names, the others may be right. */
  async function refused({ message }: PlatformError, faults: FieldFaults<Place>): Promise<boolean> {
    const found = kind.faultsOf(message)
    const places = Object.keys(found) as Place[]
    if (places.some((place) => faults[place] === undefined)) return sendWithout({ ...faults, ...found })
    set({ saving: 'refused', faults: { ...faults, ...found }, refusal: places.length > 0 ? null : message })
    return false
  }

  /** Another member saved first. Without a conflict to decide, the change is sent once more. */
  async function catchUp(): Promise<boolean> {
    try {
      goOn(drafts.received(kept.draft, await get()))
    } catch {
      set({ saving: 'unsent' })
      return false
    }
    if (kept.draft.theirs) return false
    return isChanged(kept.draft) ? send() : true
  }

  return {
    now: () => kept,
    watch: (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    edit: (change) => goOn(drafts.edited(kept.draft, change)),
    save,
    receive: (received) => {
      if (underWay) return
      const draft = drafts.received(kept.draft, received)
      if (draft !== kept.draft || kept.saving === 'unsent') goOn(draft)
    },
    keepMine: () => goOn(drafts.keepMine(kept.draft)),
    takeTheirs: () => goOn(drafts.takeTheirs(kept.draft)),
    read: () => set({ draft: { ...kept.draft, taken: [] } }),
    isChanged: () => isChanged(kept.draft),
  }
}
