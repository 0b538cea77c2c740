// The first fields of a new animal. A category can be created in the form; after a refusal, the
// input stays.

import { Button, NativeSelect, TextInput } from '@mantine/core'
import { Plus } from 'lucide-react'
import { useRef, useState, type FormEvent } from 'react'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Portrait } from '../ui/portrait.tsx'
import { notify } from '../ui/toasts.ts'
import { categoryOptions, type Categories } from './categories.ts'
import type { Animal } from './rows.ts'
import { faultsOf, NEW_CATEGORY, useAdding, type Faults } from './use-adding.ts'

const { dialog } = texts.animals

export type AddFormProps = {
  categories: Categories
  /** `isLast`: no other one is to be added now. */
  onAdded: (animal: Animal, isLast: boolean) => void
}

export function AddForm({ categories, onAdded }: AddFormProps) {
  const [name, setName] = useState('')
  const [category, setCategory] = useState(() => firstCategory(categories))
  const [newCategory, setNewCategory] = useState('')
  const [faults, setFaults] = useState<Faults>({})
  const nameField = useRef<HTMLInputElement>(null)
  const { isPending, add } = useAdding(setFaults)

  const submit = async (isLast: boolean) => {
    const found = faultsOf({ name, category, newCategory })
    setFaults(found)
    if (Object.keys(found).length > 0) return
    const added = await add({ name, category, newCategory }, setCategory)
    if (!added) return
    notify({ message: dialog.wasAdded(added.name) })
    onAdded(added, isLast)
    if (isLast) return
    setName('')
    nameField.current?.focus()
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void submit(true)
  }
  return (
    <form className="stack" onSubmit={onSubmit} noValidate>
      <div className="animal-identity">
        <Portrait category={categoryNameOf(category, newCategory, categories)} id={0n} size={72} />
        <TextInput
          ref={nameField}
          className="grow"
          label={texts.animals.name}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          maxLength={255}
          error={faults.name}
          autoComplete="off"
          data-autofocus
        />
      </div>
      <NativeSelect
        label={texts.animals.category}
        value={category}
        onChange={({ currentTarget }) => setCategory(currentTarget.value)}
        error={faults.category}
      >
        {category === '' && <option value="">{dialog.chooseCategory}</option>}
        {categoryOptions(categories, undefined).map(({ value, label }) => (
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
      <p className="quiet small plain">{dialog.next}</p>
      <div className="row">
        <Button type="submit" loading={isPending} leftSection={<Icon of={Plus} size={18} />}>
          {dialog.add}
        </Button>
        <Button variant="default" onClick={() => void submit(false)} disabled={isPending}>
          {dialog.addAnother}
        </Button>
      </div>
    </form>
  )
}

/** With one category there is nothing to choose, and without any there is one to create. */
function firstCategory({ list }: Categories): string {
  if (list.length === 0) return NEW_CATEGORY
  return list.length === 1 ? String(list[0]?.id) : ''
}

/** Its picture follows what is chosen. */
const categoryNameOf = (category: string, newCategory: string, { nameOf }: Categories): string | undefined =>
  category === NEW_CATEGORY ? newCategory : category === '' ? undefined : nameOf(BigInt(category))
