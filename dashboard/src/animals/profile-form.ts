// The props of every part of the page of an animal.

import type { Fields } from './profile-fields.ts'
import type { ProfileState } from './use-profile.ts'

export type FormProps = {
  fields: Fields
  faults: ProfileState['faults']
  edit: (change: Partial<Fields>) => void
  /** For members who may view and not change. */
  isFixed: boolean
}

/** Where a field is in the page, for what leads to it. */
export const placeOf = (name: string): string => `profile-${name}`
