// What a profile must fulfil beyond its schema, and how complete one is. Pure.

import { isCalendarDay } from '@petstore-platform/contract/calendar-day'
import {
  emptyProfile,
  profileFaults,
  type Born,
  type Profile,
  type ProfileChange,
  type PublicProfile,
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

/** What visitors ask about first; whether each is answered. */
export type VisitorAnswers = Readonly<Record<'story' | 'headline' | 'traits' | 'health' | 'company', boolean>> &
  Pick<PublicProfile, 'breed' | 'sex' | 'size' | 'born' | 'inCareSince'>

/** Of an animal without a profile. */
export const noAnswers: VisitorAnswers = {
  story: false,
  headline: false,
  traits: false,
  health: false,
  company: false,
  breed: '',
  sex: null,
  size: null,
  born: null,
  inCareSince: null,
}

/** In percent. A photo is one more answer. */
export function completenessOf(answered: VisitorAnswers, hasPhoto: boolean): number {
  const { story, headline, traits, health, company, breed, sex, size, born, inCareSince } = answered
  const parts = [hasPhoto, story, headline, traits, health, company, breed, sex, size, born, inCareSince]
  return Math.round((parts.filter(Boolean).length / parts.length) * 100)
}
