// Saves the draft of the site automatically.

import { createAutosave, type AutosaveKind } from '../ui/autosave.ts'
import type * as ui from '../ui/autosave.ts'
import { namedField } from '../ui/named-field.ts'
import { fieldNames, fieldsOf, isSame, settingsOf, type FieldName, type Fields, type Site } from './fields.ts'

/** `contact` is what the server calls its three fields together. */
export type FaultPlace = FieldName | 'contact'

export type Kept = ui.AutosaveState<Site, Fields, FaultPlace>

export type DraftAutosaveDeps = {
  put: (change: ReturnType<typeof settingsOf> & { version: number }) => Promise<Site>
  get: () => Promise<Site>
  now: () => Date
  pauseMs?: number
}

const kind: AutosaveKind<Site, Fields, FaultPlace> = {
  names: fieldNames,
  fieldsOf,
  isSame,
  faultsOf(message) {
    const { field: named = '', rest = '' } = namedField(message) ?? {}
    const place = [...fieldNames, 'contact' as const].find((name) => name === named)
    return place ? { [place]: rest } : {}
  },
  heldBack: (place) => (place === 'contact' ? ['email', 'phone', 'address'] : [place]),
}

export const createDraftAutosave = (site: Site, { put, ...deps }: DraftAutosaveDeps) =>
  createAutosave(kind, site, {
    ...deps,
    put: (fields, { version }) => put({ version, ...settingsOf(fields) }),
  })
