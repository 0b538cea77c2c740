// The same change of many animals: whether the site shows them, and their category.

import { Type } from 'typebox'
import { NewPet, newPetFaults } from '../pets.ts'
import { AnimalStatusesChange, AnimalStatusesChanged, idsFault } from './animal-statuses.ts'
import { member, projectSlug, type PlatformOperation } from './operation.ts'
import { profileFaults, ProfileSummary } from './profiles.ts'

export const AnimalsChange = Type.Object(
  {
    ids: AnimalStatusesChange.properties.ids,
    isHidden: Type.Optional(ProfileSummary.properties.isHidden),
    categoryId: Type.Optional(NewPet.properties.categoryId),
  },
  { $id: 'AnimalsChange', additionalProperties: false, description: 'At least one field besides `ids` is required.' },
)

export const AnimalsChanged = Type.Object(
  {
    changed: Type.Integer({ minimum: 0, description: 'Number of animals that changed.' }),
    unchanged: Type.Integer({ minimum: 0, description: 'Number of animals that were like this already.' }),
    missing: AnimalStatusesChanged.properties.missing,
  },
  { $id: 'AnimalsChanged' },
)

export const changeAnimals = {
  operationId: 'changeAnimals',
  method: 'PATCH',
  path: '/projects/{project}/animals',
  tag: 'animals',
  access: 'admin',
  summary: 'Change many animals',
  description:
    'Hides animals on the site or shows them, changes their category, or both; omitted fields are not changed. Where `isHidden` changes, the `version` of the profile increases, and an animal without a profile gets one. All animals are changed, or none; identifiers that do not exist are reported and do not stop the others.',
  parameters: { project: projectSlug },
  body: {
    schema: AnimalsChange,
    bytesMax: 32 * 1024,
    faults: { ids: idsFault, isHidden: profileFaults.isHidden, categoryId: newPetFaults.categoryId },
    examples: { one: { summary: 'Two of them hidden', value: { ids: [1044, 1045], isHidden: true } } },
  },
  success: {
    status: 200,
    description: 'The result.',
    schema: AnimalsChanged,
    headers: [],
    example: { changed: 1, unchanged: 0, missing: [1045] },
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const animalChangeOperations: readonly PlatformOperation[] = [changeAnimals]
