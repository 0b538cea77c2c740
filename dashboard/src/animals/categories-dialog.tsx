// The dialog for categories: add, rename, delete. The server rejects deleting one that
// animals carry.

import { Button, TextInput } from '@mantine/core'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Glyph } from '../ui/glyph.tsx'
import { Icon, IconButton } from '../ui/icon.tsx'
import { notify } from '../ui/toasts.ts'
import type { Categories, Category } from './categories.ts'
import { kindIconOf } from './kind-icons.ts'

const words = texts.animals.categoriesDialog
const renews = { renews: ['listCategories'] as const }

type DialogProps = { categories: Categories; isOpen: boolean; onClose: () => void }

export function CategoriesDialog({ categories, isOpen, onClose }: DialogProps) {
  const { slug: project } = useProject()
  const restore = useAction('renameCategory', renews)
  // A category that no animal carries is its number and its name, so naming the number again restores all of it.
  const deleted = ({ id, name }: Category) =>
    notify({
      message: words.wasDeleted(name),
      undo: () => restore.mutate({ project, categoryId: id, body: { name } }),
    })
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={words.title}>
      <div className="stack">
        <p className="quiet small plain">{words.lead}</p>
        <NewCategory />
        {categories.list.length === 0 && <p className="quiet plain">{words.none}</p>}
        <ul className="lines category-list">
          {categories.list.map((category) => (
            <li key={String(category.id)}>
              <CategoryLine category={category} onDeleted={deleted} />
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}

function NewCategory() {
  const { slug } = useProject()
  const [name, setName] = useState('')
  const [fault, setFault] = useState<string>()
  const create = useAction('createCategory', {
    ...renews,
    onDone: () => {
      setName('')
      setFault(undefined)
    },
    onRefused: ({ message }) => {
      setFault(message)
      return true
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') create.mutate({ project: slug, body: { name } })
  }
  return (
    <form className="category-form grow" onSubmit={onSubmit}>
      <TextInput
        label={words.newName}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        maxLength={255}
        error={fault}
        autoComplete="off"
        data-autofocus
      />
      <Button type="submit" variant="light" loading={create.isPending} leftSection={<Icon of={Plus} size={18} />}>
        {words.add}
      </Button>
    </form>
  )
}

type LineProps = { category: Category; onDeleted: (category: Category) => void }

function CategoryLine({ category, onDeleted }: LineProps) {
  const { id, name } = category
  const { slug: project } = useProject()
  const [typed, setTyped] = useState<string>()
  const [fault, setFault] = useState<string>()
  const onRefused = ({ message }: { message: string }) => {
    setFault(message)
    return true
  }
  const done = () => {
    setTyped(undefined)
    setFault(undefined)
  }
  const rename = useAction('renameCategory', { ...renews, onDone: done, onRefused })
  const remove = useAction('deleteCategory', { ...renews, onDone: () => onDeleted(category), onRefused })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (typed === name || typed?.trim() === '') return done()
    if (typed !== undefined) rename.mutate({ project, categoryId: id, body: { name: typed } })
  }

  if (typed !== undefined)
    return (
      <form className="category-form grow" onSubmit={onSubmit}>
        <TextInput
          aria-label={words.nameOf(String(id))}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          maxLength={255}
          error={fault}
          autoComplete="off"
          ref={focused}
        />
        <Button type="submit" loading={rename.isPending}>
          {words.save}
        </Button>
      </form>
    )
  return (
    <div className="stack tight grow">
      <div className="row whole">
        <Glyph of={kindIconOf(name)} tone="plain" />
        <span className="grow">
          <span className="category-name">{name}</span>
          <span className="quiet tiny category-number">{words.number(String(id))}</span>
        </span>
        <IconButton
          of={Pencil}
          aria-label={words.renameOf(name)}
          onClick={() => {
            setFault(undefined)
            setTyped(name)
          }}
        />
        <IconButton
          of={Trash2}
          aria-label={words.deleteOf(name)}
          loading={remove.isPending}
          onClick={() => remove.mutate({ project, categoryId: id })}
        />
      </div>
      {fault !== undefined && (
        <div className="note bad" role="alert">
          {fault}
        </div>
      )}
    </div>
  )
}

/** Focused when renaming begins. */
const focused = (field: HTMLInputElement | null) => field?.select()
