// What every part of the form is given, and how a fault of the server is told beside a field.

import { texts } from '../texts/texts.ts'
import type { Fields } from './fields.ts'
import type { FaultPlace, Kept } from './draft-autosave.ts'

export type FormProps = {
  fields: Fields
  faults: Kept['faults']
  edit: (change: Partial<Fields>) => void
  /** For people who may look and not change. */
  isFixed: boolean
}

/** Undefined where nothing is wrong, as inputs want it. */
export function faultAt(faults: Kept['faults'], place: FaultPlace): string | undefined {
  const fault = faults[place]
  return fault === undefined ? undefined : texts.site.fault(fault)
}
