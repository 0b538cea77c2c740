// All animals of the project: found, added, changed, many at once.

import { Button } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { written } from '@petstore/contract/client'
import { client } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { Page } from '../ui/page.tsx'
import { AnimalList } from './animal-list.tsx'
import { useCategories } from './categories.ts'
import { CategoriesDialog } from './categories-dialog.tsx'
import { Filters } from './filters.tsx'
import { filterOf } from './search.ts'
import './animals.css'

export function AnimalsPage() {
  const { slug, mayEdit } = useProject()
  const search = useSearch({ from: '/projects/$project/animals' })
  const navigate = useNavigate({ from: '/projects/$project/animals' })
  const categories = useCategories(slug)
  const [isAdding, setIsAdding] = useState(false)
  const [isNaming, setIsNaming] = useState(false)
  const filter = filterOf(search)
  return (
    <Page
      title={texts.animals.title}
      actions={
        <>
          {mayEdit && <Button onClick={() => setIsAdding(true)}>{texts.animals.add}</Button>}
          {mayEdit && (
            <Button variant="default" onClick={() => setIsNaming(true)}>
              {texts.animals.categories}
            </Button>
          )}
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link to="/projects/$project/animals/import" params={{ project: slug }} {...props} />
            )}
          >
            {texts.animals.import}
          </Button>
          <Button variant="default" component="a" href={client.addressOf('exportAnimals', { project: slug })} download>
            {texts.animals.export}
          </Button>
        </>
      }
    >
      <Filters
        search={search}
        categories={categories}
        onChange={(changed) => void navigate({ search: changed, replace: true, resetScroll: false })}
      />
      {/* Another filter is another list, which begins at its first row with no selection. */}
      <AnimalList
        key={written([slug, filter])}
        filter={filter}
        categories={categories}
        isAdding={isAdding}
        onAdd={() => setIsAdding(true)}
        onAdded={() => setIsAdding(false)}
      />
      <CategoriesDialog categories={categories} isOpen={isNaming} onClose={() => setIsNaming(false)} />
    </Page>
  )
}
