// How a change of status by hand can be taken back. Pure.

import type { PetStatus } from '@petstore-platform/contract/pets'
import type { STATUSES_AT_ONCE_MAX } from '@petstore-platform/contract/platform/orders'
import type { Animal } from './rows.ts'

const AT_ONCE: typeof STATUSES_AT_ONCE_MAX = 500

export type StatusStep = { ids: bigint[]; status: PetStatus }

/**
 * The requests that set the earlier statuses again. Undefined if that would not restore everything: the change may
 * have declined the order for a reserved animal, and an available one may have been reserved since.
 */
export function undoSteps(
  before: readonly Pick<Animal, 'id' | 'status'>[],
  status: PetStatus,
): StatusStep[] | undefined {
  if (status === 'available' || before.length > AT_ONCE) return undefined
  if (before.some((animal) => animal.status === 'pending')) return undefined
  const steps = new Map<PetStatus, bigint[]>()
  for (const animal of before)
    if (animal.status !== status) steps.set(animal.status, [...(steps.get(animal.status) ?? []), animal.id])
  return steps.size === 0 ? undefined : [...steps].map(([earlier, ids]) => ({ ids, status: earlier }))
}
