// Saves the draft automatically: a short pause after the last change, one request at a
// time, and always with the version that was loaded. It does not outlive the page, but it
// tracks unsaved changes, so that leaving needs a confirmation. The server validates: a
// refusal is shown next to the field that it names.

import { PlatformError } from '@petstore/contract/platform/client'
import { namedField } from '../ui/named-field.ts'
import { draftOf, edited, isChanged, keepMine, received, saved, takeTheirs, type Draft } from './draft.ts'
import { fieldNames, settingsOf, type FieldName, type Fields, type Site } from './fields.ts'

const PAUSE_MS = 600

/** `contact` is what the server calls its three fields together. */
export type FaultPlace = FieldName | 'contact'

/** The state of the latest change. */
export type Saving = 'still' | 'waiting' | 'saving' | 'refused' | 'unsent'

export type Kept = {
  draft: Draft
  saving: Saving
  savedAt: string | null
  faults: Partial<Record<FaultPlace, string>>
  /** A refusal that names no field. */
  refusal: string | null
}

export type KeeperDeps = {
  put: (change: ReturnType<typeof settingsOf> & { version: number }) => Promise<Site>
  get: () => Promise<Site>
  now: () => Date
  pauseMs?: number
}

export function createKeeper(site: Site, { put, get, now, pauseMs = PAUSE_MS }: KeeperDeps) {
  let kept: Kept = { draft: draftOf(site), saving: 'still', savedAt: null, faults: {}, refusal: null }
  let timer: ReturnType<typeof setTimeout> | undefined
  let underWay: Promise<boolean> | undefined
  const watchers = new Set<() => void>()

  function set(change: Partial<Kept>): void {
    kept = { ...kept, ...change }
    for (const watcher of watchers) watcher()
  }

  /** Continues with a draft: saves it soon, waits for a decision, or has nothing to do. */
  function goOn(draft: Draft): void {
    clearTimeout(timer)
    const isOpen = isChanged(draft) || draft.theirs !== null
    set({ draft, ...(isOpen ? { saving: 'waiting' } : { saving: 'still', faults: {}, refusal: null }) })
    if (isChanged(draft)) timer = setTimeout(() => void save(), pauseMs)
  }

  /** True once the server has all that is in the form. */
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
    set({ saving: 'saving' })
    const { base, mine } = kept.draft
    try {
      const site = await put({ version: base.version, ...settingsOf(mine) })
      set({ savedAt: now().toISOString(), faults: {}, refusal: null })
      goOn(saved(kept.draft, site))
      return !isChanged(kept.draft)
    } catch (error) {
      if (!(error instanceof PlatformError)) set({ saving: 'unsent' })
      else if (error.code === 'stale_version') return catchUp()
      else set({ saving: 'refused', ...refusalOf(error) })
      return false
    }
  }

  /** Another member saved first. Without a conflict to decide, the change is sent once more. */
  async function catchUp(): Promise<boolean> {
    try {
      goOn(received(kept.draft, await get()))
    } catch {
      set({ saving: 'unsent' })
      return false
    }
    if (kept.draft.theirs) return false
    return isChanged(kept.draft) ? send() : true
  }

  return {
    now: (): Kept => kept,
    watch: (watcher: () => void): (() => void) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    edit: (change: Partial<Fields>) => goOn(edited(kept.draft, change)),
    save,
    /** The draft as the server returned it now. Any response also means that it is reachable again. */
    receive: (site: Site): void => {
      if (underWay) return
      const draft = received(kept.draft, site)
      if (draft !== kept.draft || kept.saving === 'unsent') goOn(draft)
    },
    keepMine: () => goOn(keepMine(kept.draft)),
    takeTheirs: () => goOn(takeTheirs(kept.draft)),
    /** The person has read what others changed. */
    read: () => set({ draft: { ...kept.draft, taken: [] } }),
  }
}

function refusalOf({ message }: PlatformError): Pick<Kept, 'faults' | 'refusal'> {
  const { field: named = '', rest = '' } = namedField(message) ?? {}
  const place = [...fieldNames, 'contact' as const].find((name) => name === named)
  return place ? { faults: { [place]: rest }, refusal: null } : { faults: {}, refusal: message }
}
