// Serialises animals and categories as JSON text. Written by hand instead of
// with JSON.stringify: the digits of a bigint are sent unchanged, and it is the cheapest
// way as well. Tests check every response against the contract's schema.

import { hash } from 'node:crypto'
import type { NewPet, Pet } from '@petstore-platform/contract/pets'
import type { Photo, PublicPhoto } from '@petstore-platform/contract/platform/photos'
import { emptyProfile, type Profile, type ProfileSummary } from '@petstore-platform/contract/platform/profiles'
import { completenessOf } from './profile.ts'
import type { SummaryRow } from './profile-queries.ts'

export const petJson = ({ id, name, categoryId, status }: Required<Pet>): string =>
  `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`

/** Equal for equal validated values, however they were spelt in the request. */
export const fingerprintOf = ({ name, categoryId, status }: Required<NewPet>): Buffer =>
  hash('sha256', JSON.stringify([name, String(categoryId), status]), 'buffer')

type AnimalFields = { id: bigint; name: string; categoryId: bigint; status: string; createdAt: Date }

/** For members, who also see when it was added. */
export const animalJson = ({ id, name, categoryId, status, createdAt }: AnimalFields): string =>
  `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}",` +
  `"createdAt":${JSON.stringify(createdAt)}}`

/** In a list, with what is known of it: `summary` is undefined without a profile. */
export const listedAnimalJson = (animal: AnimalFields, { summary, cover = null, openRequests }: ListedMore): string =>
  extended(animalJson(animal), { profile: summaryOf(summary, cover !== null), cover, openRequests })

type ListedMore = {
  summary: SummaryRow | undefined
  cover: PublicPhoto | undefined | null
  openRequests: number
}

export const animalDetailsJson = (
  animal: AnimalFields,
  profile: Profile | undefined,
  photos: readonly Photo[],
): string => extended(animalJson(animal), { profile: profile ?? emptyProfile, photos })

const extended = (json: string, more: object): string => `${json.slice(0, -1)},${JSON.stringify(more).slice(1)}`

function summaryOf(found: SummaryRow | undefined, hasPhoto: boolean): ProfileSummary {
  const { breed, sex, born, inCareSince, portrait, isHidden, isFeatured } = found ?? emptyProfile
  const completeness = completenessOf(found?.answered ?? 0, hasPhoto)
  return { breed, sex, born, inCareSince, portrait, isHidden, isFeatured, completeness }
}

export const categoryJson = ({ id, name }: { id: bigint; name: string }): string =>
  `{"id":${id},"name":${JSON.stringify(name)}}`
