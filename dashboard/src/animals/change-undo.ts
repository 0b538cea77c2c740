// How a change of one animal or many can be taken back. Pure.

import type { PetStatus } from '@petstore-platform/contract/pets'
import type { ANIMALS_AT_ONCE_MAX } from '@petstore-platform/contract/platform/animal-statuses'
import type { BulkChange } from './bulk-change.ts'
import type { Animal } from './rows.ts'

/** As many as the server changes in one request. */
export const AT_ONCE: typeof ANIMALS_AT_ONCE_MAX = 500

export type UndoStep = { ids: bigint[] } & BulkChange

/**
 * The calls that set the earlier statuses again. Undefined if that would not restore everything: the change may have
 * ended the hold of a reserved animal, or closed requests for one that was sold; and an available one may have been
 * held since. `isAsked`: people may have asked for them.
 */
export function undoSteps(
  before: readonly Pick<Animal, 'id' | 'status'>[],
  status: PetStatus,
  isAsked: boolean,
): UndoStep[] | undefined {
  if (status === 'sold' && isAsked) return undefined
  if (status === 'available' || before.length > AT_ONCE) return undefined
  if (before.some((animal) => animal.status === 'pending')) return undefined
  return stepsOf(
    before.filter((animal) => animal.status !== status),
    ({ status: earlier }) => ({ status: earlier }),
  )
}

type Shown = Pick<Animal, 'id' | 'categoryId'> & { profile: Pick<Animal['profile'], 'isHidden'> }

/** The same of what visitors see and where, which nothing else depends on. */
export function undoStepsOf(
  before: readonly Shown[],
  change: Exclude<BulkChange, { status: PetStatus }>,
): UndoStep[] | undefined {
  if (before.length > AT_ONCE) return undefined
  if ('categoryId' in change) {
    const moved = before.filter(({ categoryId }) => categoryId !== change.categoryId)
    return stepsOf(moved, ({ categoryId }) => ({ categoryId }))
  }
  const turned = before.filter(({ profile }) => profile.isHidden !== change.isHidden)
  return stepsOf(turned, ({ profile: { isHidden } }) => ({ isHidden }))
}

/** One for each earlier value. */
function stepsOf<One extends { id: bigint }>(
  animals: readonly One[],
  earlierOf: (animal: One) => BulkChange,
): UndoStep[] | undefined {
  const steps = new Map<string, UndoStep>()
  for (const animal of animals) {
    const earlier = earlierOf(animal)
    const key = Object.values(earlier).join()
    const step = steps.get(key) ?? { ids: [], ...earlier }
    step.ids.push(animal.id)
    steps.set(key, step)
  }
  return steps.size === 0 ? undefined : [...steps.values()]
}
