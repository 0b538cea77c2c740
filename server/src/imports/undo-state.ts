// What a row of an import remembers of its animal, as JSON: how it was before, and how the import left it. Identifiers are
// text, since JSON has no integers of 64 bits. Pure.

import type { PetStatus } from '@petstore-platform/contract/pets'
import type { AnimalState } from './cells.ts'

/** `version`: of the profile, 0 if there was none. */
export type Before = AnimalState & { version: number }
type Pet = { name: string; categoryId: bigint; status: PetStatus }
export type After = Pet & { version: number }

export const beforeText = ({ animal, version }: { animal: AnimalState; version: number }): string =>
  JSON.stringify({ ...animal, categoryId: String(animal.categoryId), version })

export const afterText = (pet: Pet, version: number): string =>
  JSON.stringify({ ...pet, categoryId: String(pet.categoryId), version })

type Stored<Kept> = Omit<Kept, 'categoryId'> & { categoryId: string }

export function readBefore(stored: unknown): Before | undefined {
  if (stored === null) return undefined
  const { categoryId, ...before } = stored as Stored<Before>
  return { ...before, categoryId: BigInt(categoryId) }
}

export function readAfter(stored: unknown): After {
  const { categoryId, ...after } = stored as Stored<After>
  return { ...after, categoryId: BigInt(categoryId) }
}

/** Whether the animal is still as the import left it. */
export const isAsLeft = (after: After, now: Pet & { version: number }): boolean =>
  after.name === now.name &&
  after.categoryId === now.categoryId &&
  after.status === now.status &&
  after.version === now.version
