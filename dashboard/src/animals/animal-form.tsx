// The fields of an animal. A category can be created in the form; after a refusal, the
// input stays.

import { Button, NativeSelect, TextInput } from '@mantine/core'
import { Plus, Trash2 } from 'lucide-react'
import { useRef, useState, type FormEvent } from 'react'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Portrait } from '../ui/portrait.tsx'
import { notify } from '../ui/toasts.ts'
import { categoryOptions, type Categories } from './categories.ts'
import type { Animal } from './rows.ts'
import { StatusChoice } from './status-choice.tsx'
import { faultsOf, NEW_CATEGORY, useSaving, type Faults } from './use-saving.ts'
import type { OfferUndo } from './use-status-undo.ts'
import { statusViews } from './views.ts'

const { dialog } = texts.animals

type FormProps = {
  /** Undefined: one that is to be added. */
  animal: Animal | undefined
  categories: Categories
  onClose: () => void
  onDone: (animal: Animal) => void
  onDelete?: () => void
  offerUndo: OfferUndo
}

export function AnimalForm({ animal, categories, onClose, onDone, onDelete, offerUndo }: FormProps) {
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
    announce(animal, saved, offerUndo)
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
      <div className="animal-identity">
        <Portrait category={categoryNameOf(category, newCategory, categories)} id={animal?.id ?? 0n} size={72} />
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
      <StatusChoice value={status} onChange={setStatus} hint={declines ? dialog.declines : undefined} />
      {animal && (
        <p className="quiet small plain">
          {dialog.identifier} <span className="mono">{String(animal.id)}</span>
        </p>
      )}
      <div className="row apart">
        <div className="row">
          <Button type="submit" loading={isPending} leftSection={animal ? undefined : <Icon of={Plus} size={18} />}>
            {animal ? texts.common.save : dialog.add}
          </Button>
          {!animal && (
            <Button variant="default" onClick={() => void submit(false)} disabled={isPending}>
              {dialog.addAnother}
            </Button>
          )}
        </div>
        {onDelete && (
          <Button variant="subtle" data-tone="danger" leftSection={<Icon of={Trash2} size={18} />} onClick={onDelete}>
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

/** Its picture follows what is chosen. */
const categoryNameOf = (category: string, newCategory: string, { nameOf }: Categories): string | undefined =>
  category === NEW_CATEGORY ? newCategory : category === '' ? undefined : nameOf(BigInt(category))

/** If nothing but the status was changed, it can be changed back. */
function announce(before: Animal | undefined, saved: Animal, offerUndo: OfferUndo): void {
  const isOnlyMarked =
    before?.name === saved.name && before.categoryId === saved.categoryId && before.status !== saved.status
  if (before && isOnlyMarked)
    offerUndo(dialog.wasMarked(saved.name, statusViews[saved.status].label), [before], saved.status)
  else notify({ message: before ? dialog.wasSaved(saved.name) : dialog.wasAdded(saved.name) })
}
