// The props of every part of the form, and the server's fault next to a field.

import * as texts from '../texts/texts.ts'
import type { Fields } from './fields.ts'
import type { FaultPlace, Kept } from './draft-autosave.ts'

export type FormProps = {
  fields: Fields
  faults: Kept['faults']
  edit: (change: Partial<Fields>) => void
  /** For members who may view and not change. */
  isFixed: boolean
}

/** By which an address leads to a field: `#email` of the page. */
export const fieldId = (name: string) => `site-${name}`

/** Undefined without a fault, as inputs expect it. */
export function faultAt(faults: Kept['faults'], place: FaultPlace): string | undefined {
  const fault = faults[place]
  return fault === undefined ? undefined : texts.site.fault(fault)
}
