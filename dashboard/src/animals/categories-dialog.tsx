// The dialog for categories: add, rename, delete. The server rejects deleting one that
// animals carry.

import { Button, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import type { Categories, Category } from './categories.ts'

const words = texts.animals.categoriesDialog
const renews = { renews: ['listCategories'] as const }

type DialogProps = { categories: Categories; isOpen: boolean; onClose: () => void }

export const CategoriesDialog = ({ categories, isOpen, onClose }: DialogProps) => (
  <Dialog isOpen={isOpen} onClose={onClose} title={words.title}>
    <div className="stack">
      <p className="quiet small animal-text">{words.lead}</p>
      <NewCategory />
      {categories.list.length === 0 && <p className="quiet animal-text">{words.none}</p>}
      <ul className="category-list">
        {categories.list.map((category) => (
          <li key={String(category.id)}>
            <CategoryLine category={category} />
          </li>
        ))}
      </ul>
    </div>
  </Dialog>
)

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
    <form className="category-form" onSubmit={onSubmit}>
      <TextInput
        label={words.newName}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        maxLength={255}
        error={fault}
        autoComplete="off"
        data-autofocus
      />
      <Button type="submit" loading={create.isPending}>
        {words.add}
      </Button>
    </form>
  )
}

function CategoryLine({ category: { id, name } }: { category: Category }) {
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
  const remove = useAction('deleteCategory', { ...renews, onRefused })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (typed === name || typed?.trim() === '') return done()
    if (typed !== undefined) rename.mutate({ project, categoryId: id, body: { name: typed } })
  }

  if (typed !== undefined)
    return (
      <form className="category-form" onSubmit={onSubmit}>
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
    <div className="stack category-line">
      <div className="row apart">
        <span className="category-name">
          {name} <span className="quiet small">{words.number(String(id))}</span>
        </span>
        <span className="row">
          <Button
            size="compact-sm"
            variant="default"
            aria-label={words.renameOf(name)}
            onClick={() => {
              setFault(undefined)
              setTyped(name)
            }}
          >
            {words.rename}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            aria-label={words.deleteOf(name)}
            loading={remove.isPending}
            onClick={() => remove.mutate({ project, categoryId: id })}
          >
            {words.delete}
          </Button>
        </span>
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
