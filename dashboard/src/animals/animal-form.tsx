// The fields of an animal. A category can be created in the form; after a refusal, the
// input stays.

import type { PlatformError, Received } from '@petstore/contract/platform/client'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useRef, useState, type FormEvent } from 'react'
import { useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { notify } from '../ui/toasts.ts'
import { categoryOptions, type Categories } from './categories.ts'
import type { Animal } from './rows.ts'
import { statusOptions } from './views.ts'

const { dialog } = texts.animals
const NEW_CATEGORY = 'new'

type FormProps = {
  /** Undefined: one that is to be added. */
  animal: Animal | undefined
  categories: Categories
  onClose: () => void
  onDone: (animal: Animal) => void
  onDelete?: () => void
}
type Faults = { name?: string; category?: string; newCategory?: string }

export function AnimalForm({ animal, categories, onClose, onDone, onDelete }: FormProps) {
  const [name, setName] = useState(animal?.name ?? '')
  const [category, setCategory] = useState(() => firstCategory(animal, categories))
  const [newCategory, setNewCategory] = useState('')
  const [status, setStatus] = useState<Animal['status']>(animal?.status ?? 'available')
  const [faults, setFaults] = useState<Faults>({})
  const nameField = useRef<HTMLInputElement>(null)
  const { isPending, save } = useSaving(animal, setFaults)

  const submit = async (isLast: boolean) => {
    const found = faultsOf({ name, category, newCategory })
    setFaults(found)
    if (Object.keys(found).length > 0) return
    const saved = await save({ name, category, newCategory, status }, setCategory)
    if (!saved) return
    notify({ message: animal ? dialog.wasSaved(saved.name) : dialog.wasAdded(saved.name) })
    onDone(saved)
    if (isLast) return onClose()
    setName('')
    nameField.current?.focus()
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void submit(true)
  }

  const declines = animal?.status === 'pending' && status !== 'pending'
  return (
    <form className="stack" onSubmit={onSubmit} noValidate>
      <TextInput
        ref={nameField}
        label={texts.animals.name}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        maxLength={255}
        error={faults.name}
        autoComplete="off"
        data-autofocus
      />
      <NativeSelect
        label={texts.animals.category}
        value={category}
        onChange={({ currentTarget }) => setCategory(currentTarget.value)}
        error={faults.category}
      >
        {category === '' && <option value="">{dialog.chooseCategory}</option>}
        {categoryOptions(categories, animal?.categoryId).map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        <option value={NEW_CATEGORY}>{dialog.newCategory}</option>
      </NativeSelect>
      {category === NEW_CATEGORY && (
        <TextInput
          label={dialog.newCategoryName}
          value={newCategory}
          onChange={({ currentTarget }) => setNewCategory(currentTarget.value)}
          maxLength={255}
          error={faults.newCategory}
          autoComplete="off"
        />
      )}
      <NativeSelect
        label={texts.animals.status}
        value={status}
        onChange={({ currentTarget }) => setStatus(currentTarget.value as Animal['status'])}
        data={statusOptions}
        description={declines ? dialog.declines : undefined}
      />
      {animal && (
        <p className="quiet small animal-text">
          {dialog.identifier} <span className="mono">{String(animal.id)}</span>
        </p>
      )}
      <div className="row apart">
        <div className="row">
          <Button type="submit" loading={isPending}>
            {animal ? texts.common.save : dialog.add}
          </Button>
          {!animal && (
            <Button variant="default" onClick={() => void submit(false)} disabled={isPending}>
              {dialog.addAnother}
            </Button>
          )}
        </div>
        {onDelete && (
          <Button variant="subtle" color="red" onClick={onDelete}>
            {dialog.delete}
          </Button>
        )}
      </div>
    </form>
  )
}

/** With one category there is nothing to choose, and without any there is one to create. */
function firstCategory(animal: Animal | undefined, { list }: Categories): string {
  if (animal) return String(animal.categoryId)
  if (list.length === 0) return NEW_CATEGORY
  return list.length === 1 ? String(list[0]?.id) : ''
}

type Typed = { name: string; category: string; newCategory: string }

/** Only missing values: the server validates the others. */
function faultsOf({ name, category, newCategory }: Typed): Faults {
  return {
    ...(name.trim() === '' && { name: dialog.needsName }),
    ...(category === '' && { category: dialog.needsCategory }),
    ...(category === NEW_CATEGORY && newCategory.trim() === '' && { newCategory: dialog.needsCategoryName }),
  }
}

/** The steps of saving, each of which may be refused. What was done before is not done again. */
function useSaving(animal: Animal | undefined, setFaults: (faults: Faults) => void) {
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
