// What a duplicate of an animal begins with. An owner with a litter describes one kitten and duplicates it: everything
// that she wrote is copied, except what belongs to one animal alone. Pure.

import type { NewPet, Pet } from '@petstore-platform/contract/pets'
import { profileFieldNames, profileFields } from '@petstore-platform/contract/platform/profile-fields'
import { emptyProfile, type Profile, type ProfileChange } from '@petstore-platform/contract/platform/profiles'

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
