// Saving an animal: a new category if one was typed, then the animal, then its status.

import type { PlatformError, Received } from '@petstore/contract/platform/client'
import { useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import type { Animal } from './rows.ts'

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

/** The steps of saving, each of which may be refused. What was done before is not done again. */
export function useSaving(animal: Animal | undefined, setFaults: (faults: Faults) => void) {
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
  const change = useAction('changeAnimal', refused('name'))
  const mark = useAction('setAnimalStatus')

  const steps = async (typed: Typed & Pick<Animal, 'status'>, onCategory: (id: string) => void) => {
    const { name, status } = typed
    let { category } = typed
    if (category === NEW_CATEGORY) {
      category = String((await makeCategory.mutateAsync({ project, body: { name: typed.newCategory } })).id)
      onCategory(category)
    }
    const categoryId = BigInt(category)
    if (!animal) return create.mutateAsync({ project, body: { name, categoryId, status } })
    let saved: Received<'getAnimal'> = animal
    if (name !== animal.name || categoryId !== animal.categoryId)
      saved = await change.mutateAsync({ project, petId: animal.id, body: { name, categoryId } })
    if (status !== animal.status) saved = await mark.mutateAsync({ project, petId: animal.id, body: { status } })
    return saved
  }
  return {
    isPending: [makeCategory, create, change, mark].some((action) => action.isPending),
    /** Undefined after a refusal, which has been shown. */
    save: (...typed: Parameters<typeof steps>): Promise<Animal | undefined> =>
      steps(...typed).then(
        (saved) => saved as Animal,
        () => undefined,
      ),
  }
}
