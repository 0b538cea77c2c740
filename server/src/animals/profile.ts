// What a profile must fulfil beyond its schema, and how complete one is. Pure.

import { isCalendarDay } from '@petstore-platform/contract/calendar-day'
import { profileFields } from '@petstore-platform/contract/platform/profile-fields'
import {
  emptyProfile,
  profileFaults,
  type Born,
  type Profile,
  type ProfileChange,
} from '@petstore-platform/contract/platform/profiles'

export type ProfileFields = Omit<Profile, 'version'>

const { version: _, ...empty } = emptyProfile
export const emptyFields: ProfileFields = empty

/** In words for the client; undefined if there is none. `latest`: a day after it is still to come. */
export function faultOfProfile(
  { born, inCareSince, isMixed, breed, secondBreed }: ProfileChange,
  latest: string,
): string | undefined {
  if (born && !isFirstDay(born)) return profileFaults.born
  if (inCareSince !== null && (!isCalendarDay(inCareSince) || inCareSince > latest)) return profileFaults.inCareSince
  if (secondBreed !== '' && breed === '') return "'secondBreed' requires a 'breed'."
  if (secondBreed !== '' && !isMixed) return "'secondBreed' requires 'isMixed' to be true."
  return undefined
}

/** A month begins with its first day, and a year with its first month: one spelling for what is known. */
const isFirstDay = ({ date, precision }: Born): boolean =>
  isCalendarDay(date) && (precision === 'day' || date.endsWith(precision === 'year' ? '-01-01' : '-01'))

const QUESTIONS = new Set(
  Object.values(profileFields).flatMap((entry) => ('question' in entry ? [entry.question] : [])),
).size

/** In percent, by the number of questions that the profile answers. A photo is one more answer. */
export const completenessOf = (answered: number, hasPhoto: boolean): number =>
  Math.round(((answered + Number(hasPhoto)) / (QUESTIONS + 1)) * 100)
