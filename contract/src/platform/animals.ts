// Animals and categories of a project, for its members. The availability of an animal is
// changed by the operations on orders, not here.

import { Type, type Static } from 'typebox'
import { Int64 } from '../int64.ts'
import { limitOf, namePrefix, petId as animalId, statusFilter, type Parameter } from '../parameters.ts'
import { NewPet, Pet, newPetFaults } from '../pets.ts'
import { Time } from './accounts.ts'
import { member, projectSlug, type PlatformOperation } from './operation.ts'
import { Photos, PublicPhoto, photoExample } from './photos.ts'
import { Profile, ProfileSummary, profileExample } from './profiles.ts'

export const CATEGORIES_MAX = 1000
/** More than other lists: a table that members scroll requests a hundred thousand of them, page by page. */
export const ANIMALS_LIMIT_MAX = 1000
/** Of a list by completeness, which is computed for each of them. */
export const ANIMALS_SORTED_MAX = 5000

const name = NewPet.properties.name
const id = Type.Unsafe<bigint>({ ...Int64, description: 'Unique identifier assigned on creation.' })
const nameFault = newPetFaults.name

export const Category = Type.Object(
  { id, name: Type.Unsafe<string>({ ...name, description: 'Display name.' }) },
  {
    $id: 'Category',
    description: 'A category of animals. An animal may have a category identifier that has no name yet.',
  },
)
export const Categories = Type.Array(Category, { $id: 'Categories', maxItems: CATEGORIES_MAX })
export const NewCategory = Type.Object(
  { name: Category.properties.name },
  { $id: 'NewCategory', additionalProperties: false },
)

export const Animal = Type.Object(
  { id, name, categoryId: Pet.properties.categoryId, status: Pet.properties.status, createdAt: Time },
  { $id: 'Animal', description: 'An animal of the project.' },
)
export const ListedAnimal = Type.Object(
  {
    ...Animal.properties,
    profile: ProfileSummary,
    cover: Type.Unsafe<PublicPhoto | null>({
      oneOf: [PublicPhoto, { type: 'null' }],
      description: 'The first photo that is ready; null if there is none.',
    }),
    openRequests: Type.Integer({ minimum: 0, description: 'The number of open requests for the animal.' }),
  },
  { $id: 'ListedAnimal', description: 'An animal of the project, in a list.' },
)
export const Animals = Type.Array(ListedAnimal, { $id: 'Animals', maxItems: ANIMALS_LIMIT_MAX })
export const AnimalDetails = Type.Object(
  { ...Animal.properties, profile: Profile, photos: Photos },
  { $id: 'AnimalDetails', description: 'An animal of the project with its whole profile and its photos.' },
)
export const AnimalChange = Type.Object(
  { name: Type.Optional(name), categoryId: Type.Optional(NewPet.properties.categoryId) },
  { $id: 'AnimalChange', additionalProperties: false, description: 'At least one field is required.' },
)
export type AnimalChange = Static<typeof AnimalChange>

const category = { id: 9, name: 'Dogs' }
export const animalExample = {
  id: 1044,
  name: 'Rex',
  categoryId: 9,
  status: 'available',
  createdAt: '2026-11-14T22:00:00Z',
}

const { breed, sex, born, inCareSince, portrait, isHidden, isFeatured } = profileExample
const { digest, recipe, widths, width, height, alt, focal } = photoExample
const listedExample = {
  ...animalExample,
  profile: { breed, sex, born, inCareSince, portrait, isHidden, isFeatured, completeness: 73 },
  cover: { digest, recipe, widths, width, height, alt, focal },
  openRequests: 2,
}

/** Any int64 may be a category, so an unparsable identifier is treated as one that no category has. */
const categoryId: Parameter<bigint, 'path'> = {
  in: 'path',
  description: 'Identifier of the category.',
  schema: Int64,
  refusal: 'not_found',
  component: 'CategoryId',
  example: 9,
}
const categoryFilter: Parameter<bigint, 'query'> = {
  in: 'query',
  description: 'Only animals of this category.',
  schema: Int64,
  refusal: 'invalid_parameter',
}
const nameFilter = namePrefix(
  'Only animals whose name, a word in it, breed or chip number starts with this, ignoring case; those whose names do come first.',
  255,
)
const sort: Parameter<'name' | 'completeness', 'query'> = {
  in: 'query',
  description: `By name instead of newest first, or by \`completeness\`, lowest first. By completeness the list ends after ${ANIMALS_SORTED_MAX} animals: the newest, or with \`name\` or \`categoryId\` the first of these by name.`,
  schema: { type: 'string', enum: ['name', 'completeness'] },
  refusal: 'invalid_parameter',
}
const photoFilter: Parameter<'none', 'query'> = {
  in: 'query',
  description:
    'Only animals without a photo that is ready. Each page leaves the others out of `limit` animals: it may be empty, and another one after it.',
  schema: { type: 'string', enum: ['none'] },
  refusal: 'invalid_parameter',
}
/** Longer than the cursor of other lists: a list sorted by name continues after a name. */
const animalCursor: Parameter<string, 'query'> = {
  in: 'query',
  description: 'Opaque position taken from a `Link` header. Never build one yourself.',
  schema: { type: 'string', minLength: 1, maxLength: 3072, pattern: '^[A-Za-z0-9_-]+$' },
  refusal: 'invalid_cursor',
}

export const listCategories = {
  operationId: 'listCategories',
  method: 'GET',
  path: '/projects/{project}/categories',
  tag: 'animals',
  access: 'viewer',
  summary: 'List categories',
  description: `The categories that have a name, sorted by name, at most ${CATEGORIES_MAX}.`,
  parameters: { project: projectSlug },
  success: { status: 200, description: 'The categories.', schema: Categories, headers: ['ETag'], example: [category] },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const createCategory = {
  operationId: 'createCategory',
  method: 'POST',
  path: '/projects/{project}/categories',
  tag: 'animals',
  access: 'admin',
  summary: 'Create a category',
  description: `Creates a category with a new identifier. A project can have at most ${CATEGORIES_MAX}.`,
  parameters: { project: projectSlug },
  body: {
    schema: NewCategory,
    faults: { name: nameFault },
    examples: { one: { summary: 'A category', value: { name: 'Dogs' } } },
  },
  success: { status: 201, description: 'The category.', schema: Category, headers: [], example: category },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const renameCategory = {
  operationId: 'renameCategory',
  method: 'PUT',
  path: '/projects/{project}/categories/{categoryId}',
  tag: 'animals',
  access: 'admin',
  summary: 'Name a category',
  description:
    'Sets or changes the name of a category identifier. The identifier does not have to exist yet: animals added through `/v1` may have any.',
  parameters: { project: projectSlug, categoryId },
  body: {
    schema: NewCategory,
    faults: { name: nameFault },
    examples: { one: { summary: 'Another name', value: { name: 'Hounds' } } },
  },
  success: { status: 200, description: 'The category.', schema: Category, headers: [], example: category },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const deleteCategory = {
  operationId: 'deleteCategory',
  method: 'DELETE',
  path: '/projects/{project}/categories/{categoryId}',
  tag: 'animals',
  access: 'admin',
  summary: 'Delete a category',
  description: 'Rejected while animals use it.',
  parameters: { project: projectSlug, categoryId },
  success: { status: 204, description: 'Deleted.', headers: [] },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const listAnimals = {
  operationId: 'listAnimals',
  method: 'GET',
  path: '/projects/{project}/animals',
  tag: 'animals',
  access: 'viewer',
  summary: 'List animals',
  description:
    'Newest first; with `name`, `categoryId` or `sort=name` by name, and with `sort=completeness` by completeness instead. Paginated with the `Link` header: with `name`, a page may have fewer animals than `limit`, and another one after it. Filters may be combined.',
  parameters: {
    project: projectSlug,
    limit: limitOf('animals', ANIMALS_LIMIT_MAX),
    status: statusFilter,
    categoryId: categoryFilter,
    name: nameFilter,
    photo: photoFilter,
    sort,
    cursor: animalCursor,
  },
  success: {
    status: 200,
    description: 'The animals.',
    schema: Animals,
    headers: ['Link', 'ETag'],
    example: [listedExample],
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const createAnimal = {
  operationId: 'createAnimal',
  method: 'POST',
  path: '/projects/{project}/animals',
  tag: 'animals',
  access: 'admin',
  summary: 'Add an animal',
  description: 'Adds an animal. It is available through `/v1` immediately.',
  parameters: { project: projectSlug },
  body: {
    schema: NewPet,
    faults: newPetFaults,
    examples: { one: { summary: 'A dog', value: { name: 'Rex', categoryId: 9 } } },
  },
  success: { status: 201, description: 'The animal.', schema: Animal, headers: [], example: animalExample },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const duplicateAnimal = {
  operationId: 'duplicateAnimal',
  method: 'POST',
  path: '/projects/{project}/animals/{petId}/duplicate',
  tag: 'animals',
  access: 'admin',
  summary: 'Duplicate an animal',
  description:
    'Adds an animal with the same name, category and profile, such as the next kitten of a litter. What belongs to one animal alone is not copied: photos, orders, `externalId` and `chipNumber`. The copy is `available`, and hidden on the site until a member shows it.',
  parameters: { project: projectSlug, petId: animalId },
  success: { status: 201, description: 'The copy.', schema: Animal, headers: [], example: animalExample },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const getAnimal = {
  operationId: 'getAnimal',
  method: 'GET',
  path: '/projects/{project}/animals/{petId}',
  tag: 'animals',
  access: 'viewer',
  summary: 'Show an animal',
  description: 'One animal of the project, with its whole profile and its photos.',
  parameters: { project: projectSlug, petId: animalId },
  success: {
    status: 200,
    description: 'The animal.',
    schema: AnimalDetails,
    headers: ['ETag'],
    example: { ...animalExample, profile: profileExample, photos: [photoExample] },
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const changeAnimal = {
  operationId: 'changeAnimal',
  method: 'PATCH',
  path: '/projects/{project}/animals/{petId}',
  tag: 'animals',
  access: 'admin',
  summary: 'Change an animal',
  description: 'Changes the name, the category, or both; omitted fields are not changed.',
  parameters: { project: projectSlug, petId: animalId },
  body: {
    schema: AnimalChange,
    faults: { name: nameFault, categoryId: newPetFaults.categoryId },
    examples: { one: { summary: 'Another name', value: { name: 'Max' } } },
  },
  success: { status: 200, description: 'The animal.', schema: Animal, headers: [], example: animalExample },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const deleteAnimal = {
  operationId: 'deleteAnimal',
  method: 'DELETE',
  path: '/projects/{project}/animals/{petId}',
  tag: 'animals',
  access: 'admin',
  summary: 'Delete an animal',
  description: 'Rejected if the animal has orders. Its profile and its photos are deleted with it.',
  parameters: { project: projectSlug, petId: animalId },
  success: { status: 204, description: 'Deleted.', headers: [] },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

const exportColumns: Parameter<'all', 'query'> = {
  in: 'query',
  description: 'All columns, instead of those that an import without a review knows.',
  schema: { type: 'string', enum: ['all'] },
  refusal: 'invalid_parameter',
}

export const exportAnimals = {
  operationId: 'exportAnimals',
  method: 'GET',
  path: '/projects/{project}/animals.csv',
  tag: 'animals',
  access: 'viewer',
  summary: 'Export all animals',
  description:
    'A CSV file (RFC 4180, UTF-8) with the columns id, name, categoryId and status, oldest first; with `columns=all` followed by the name of the category and every field of the profile. Imported again after a review and matched by id, such a file changes nothing. A cell that a spreadsheet would interpret as a formula starts with an apostrophe, which an import removes again.',
  parameters: { project: projectSlug, columns: exportColumns },
  success: {
    status: 200,
    description: 'The CSV file.',
    type: 'text/csv; charset=utf-8',
    headers: ['Content-Disposition'],
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const animalOperations: readonly PlatformOperation[] = [
  listAnimals,
  createAnimal,
  duplicateAnimal,
  exportAnimals,
  getAnimal,
  changeAnimal,
  deleteAnimal,
  listCategories,
  createCategory,
  renameCategory,
  deleteCategory,
]
