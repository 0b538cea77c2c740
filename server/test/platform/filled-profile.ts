// A profile in which every field is filled: a new field is in it by its entry in the list.

import {
  profileFieldNames,
  profileFields,
  type ProfileFieldEntry,
} from '@petstore-platform/contract/platform/profile-fields'
import type { ProfileChange } from '@petstore-platform/contract/platform/profiles'

/** No field has the value that it has in an empty profile, and no two texts are the same. */
export const filledProfile = {
  version: 0,
  ...Object.fromEntries(profileFieldNames.map((name, at) => [name, valueOf(name, profileFields[name], at)])),
} as ProfileChange

function valueOf(name: string, entry: ProfileFieldEntry, at: number): unknown {
  switch (entry.type) {
    case 'line':
      return `Its ${name}`.slice(0, entry.lengthMax)
    case 'text':
      return `Its **${name}**.\n\n- calm\n- curious`
    case 'choice':
      return entry.values[at % entry.values.length]
    case 'integer':
      return entry.max
    case 'list':
      return ['calm', name]
    case 'fee':
      return { amount: entry.amountMax, currency: 'EUR' }
    case 'answer':
      return at % 2 === 0 ? 'yes' : 'no'
    case 'flag':
      return true
    case 'born':
      return { date: '2023-04-01', precision: 'month', isEstimated: true }
    case 'day':
      return '2026-03-14'
  }
}
