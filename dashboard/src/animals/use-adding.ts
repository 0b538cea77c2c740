// Adding an animal: a new category if one was typed, then the animal.

import type { PlatformError, Received } from '@petstore-platform/contract/platform/client'
import { useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { unwritten, type Animal } from './rows.ts'

const { dialog } = texts.animals
/** Instead of the number of a category: one that is to be created. */
export const NEW_CATEGORY = 'new'

export type Faults = { name?: string; category?: string; newCategory?: string }
type Typed = { name: string; category: string; newCategory: string }

/** Only missing values: the server validates the others. */
export function faultsOf({ name, category, newCategory }: Typed): Faults {
  return {
    ...(name.trim() === '' && { name: dialog.needsName }),
    ...(category === '' && { category: dialog.needsCategory }),
    ...(category === NEW_CATEGORY && newCategory.trim() === '' && { newCategory: dialog.needsCategoryName }),
  }
}

/** The steps of adding, each of which may be refused. What was done before is not done again. */
export function useAdding(setFaults: (faults: Faults) => void) {
  const { slug: project } = useProject()
  const refused = (field: keyof Faults) => ({
    onRefused: ({ message }: PlatformError) => {
      const named = /^'(name|categoryId)'/.exec(message)?.[1]
      if (named === undefined) return false
      setFaults({ [named === 'categoryId' ? 'category' : field]: message })
      return true
    },
  })
  const makeCategory = useAction('createCategory', { renews: ['listCategories'], ...refused('newCategory') })
  const create = useAction('createAnimal', refused('name'))

  const steps = async (typed: Typed, onCategory: (id: string) => void) => {
    let { category } = typed
    if (category === NEW_CATEGORY) {
      category = String((await makeCategory.mutateAsync({ project, body: { name: typed.newCategory } })).id)
      onCategory(category)
    }
    return create.mutateAsync({ project, body: { name: typed.name, categoryId: BigInt(category) } })
  }
  return {
    isPending: makeCategory.isPending || create.isPending,
    /** Undefined after a refusal, which has been shown. */
    add: (...typed: Parameters<typeof steps>): Promise<Animal | undefined> =>
      steps(...typed).then(withoutProfile, () => undefined),
  }
}

const withoutProfile = (animal: Received<'createAnimal'>): Animal => ({
  status: 'available',
  ...animal,
  ...unwritten,
})
