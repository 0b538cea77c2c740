// The filters of the animal list as URL parameters: a link can be shared, and going back
// restores the previous filter. Invalid parameters are dropped, since people edit URLs
// too.

import type { PetStatus } from '@petstore-platform/contract/pets'

export type Sort = 'name' | 'completeness'

export type AnimalSearch = {
  name?: string
  status?: PetStatus
  /** Identifiers beyond the safe integers are text there. */
  category?: number | string
  /** Only those without a photo. */
  photo?: 'none'
  /** Newest first without it, or by name if a text or a category is searched for. */
  sort?: Sort
  /** The form of a new animal is open. */
  add?: true
}

/** The query parameters of the request. */
export type AnimalFilter = {
  name: string | undefined
  status: PetStatus | undefined
  categoryId: bigint | undefined
  photo: 'none' | undefined
  sort: Sort | undefined
}

const known: Record<PetStatus, true> = { available: true, pending: true, sold: true }
const isStatus = (value: unknown): value is PetStatus => typeof value === 'string' && Object.hasOwn(known, value)
const isSort = (value: unknown): value is Sort => value === 'name' || value === 'completeness'
const NAME_LENGTH_MAX = 255

export function animalSearch(search: Record<string, unknown>): AnimalSearch {
  const name = nameIn(search['name'])
  const category = categoryIn(search['category'])
  return {
    ...(name !== undefined && { name }),
    ...(isStatus(search['status']) && { status: search['status'] }),
    ...(category !== undefined && { category: writtenId(category) }),
    ...(search['photo'] === 'none' && { photo: 'none' as const }),
    ...(isSort(search['sort']) && { sort: search['sort'] }),
    ...(search['add'] === true && { add: true as const }),
  }
}

/** The input without what no name begins with. */
export function nameIn(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const name = String(value)
    .replaceAll(/\p{Cc}/gu, '')
    .trimStart()
    .slice(0, NAME_LENGTH_MAX)
  return name.trim() === '' ? undefined : name
}

/** A number where one can hold it, which reads better in an address. */
const writtenId = (id: bigint): number | string =>
  BigInt(Number(id)) === id && Number.isSafeInteger(Number(id)) ? Number(id) : String(id)

function categoryIn(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  return typeof value === 'string' && /^-?\d{1,19}$/.test(value) ? BigInt(value) : undefined
}

export const filterOf = ({ name, status, category, photo, sort }: AnimalSearch): AnimalFilter => ({
  name,
  status,
  categoryId: categoryIn(category),
  photo,
  sort,
})

export const isFiltered = ({ name, status, categoryId, photo }: AnimalFilter): boolean =>
  [name, status, categoryId, photo].some((value) => value !== undefined)
