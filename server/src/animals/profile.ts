// What a profile must fulfil beyond its schema, and how complete one is. Pure.

import { isCalendarDay } from '@petstore-platform/contract/calendar-day'
import type { NewPet, Pet } from '@petstore-platform/contract/pets'
import { profileFields, profileFieldNames } from '@petstore-platform/contract/platform/profile-fields'
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

// What a duplicate of an animal begins with. An owner with a litter describes one kitten and duplicates it: everything
// that she wrote is copied, except what belongs to one animal alone.

/**
 * The fields that are not copied are empty, and the copy is hidden until its owner shows it: with the name and the weight of
 * another animal it must not be on the site. Two animals with one `externalId` are refused, and two with one `chipNumber`
 * are a mistake; to be shown first is the choice of one animal.
 */
const ownFields: Partial<ProfileChange> = {
  version: 0,
  ...Object.fromEntries(
    profileFieldNames.filter((name) => !profileFields[name].isCopied).map((name) => [name, emptyProfile[name]]),
  ),
  isHidden: true,
}

/**
 * The same name: names are not unique, the owner types another one next, and a suffix would be a word in one language
 * that could be published by mistake.
 */
export const duplicateOf = (
  { name, categoryId }: Pick<Pet, 'name' | 'categoryId'>,
  profile: Profile = emptyProfile,
): { pet: Required<NewPet>; profile: ProfileChange } => ({
  pet: { name, categoryId, status: 'available' },
  profile: { ...profile, ...ownFields },
})
