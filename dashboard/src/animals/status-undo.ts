// How a change of status by hand can be taken back. Pure.

import type { PetStatus } from '@petstore-platform/contract/pets'
import type { ANIMALS_AT_ONCE_MAX } from '@petstore-platform/contract/platform/animal-statuses'
import type { Animal } from './rows.ts'

const AT_ONCE: typeof ANIMALS_AT_ONCE_MAX = 500

export type StatusStep = { ids: bigint[]; status: PetStatus }

/**
 * The calls that set the earlier statuses again. Undefined if that would not restore everything: the change may have
 * ended the hold of a reserved animal, or closed requests for one that was sold; and an available one may have been
 * held since. `isAsked`: people may have asked for them.
 */
export function undoSteps(
  before: readonly Pick<Animal, 'id' | 'status'>[],
  status: PetStatus,
  isAsked: boolean,
): StatusStep[] | undefined {
  if (status === 'sold' && isAsked) return undefined
  if (status === 'available' || before.length > AT_ONCE) return undefined
  if (before.some((animal) => animal.status === 'pending')) return undefined
  const steps = new Map<PetStatus, bigint[]>()
  for (const animal of before)
    if (animal.status !== status) steps.set(animal.status, [...(steps.get(animal.status) ?? []), animal.id])
  return steps.size === 0 ? undefined : [...steps].map(([earlier, ids]) => ({ ids, status: earlier }))
}
