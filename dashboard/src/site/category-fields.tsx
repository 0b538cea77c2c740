// The categories shown on the site. The draft stores the hidden ones, so a category that
// is created later is shown.

import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LayoutGrid } from 'lucide-react'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Loaded } from '../ui/states.tsx'
import { faultAt, type FormProps } from './form.ts'
import { Group } from './group.tsx'

const words = texts.site

export function CategoryFields({ fields: { hiddenCategories }, faults, edit, isFixed }: FormProps) {
  const { slug } = useProject()
  const categories = useQuery(query('listCategories', { project: slug }))
  const show = (id: bigint, isShown: boolean) => {
    const others = hiddenCategories.filter((hidden) => hidden !== id)
    edit({ hiddenCategories: isShown ? others : [...others, id] })
  }
  return (
    <Group title={words.shownCategories} icon={LayoutGrid}>
      <Loaded from={categories}>
        {(named) =>
          named.length === 0 ? (
            <p className="quiet small plain">{words.noCategories}</p>
          ) : (
            <>
              <p className="quiet small plain">{words.shownCategoriesHelp}</p>
              <div className="site-categories" role="group" aria-label={words.shownCategories}>
                {named.map(({ id, name }) => (
                  <Checkbox
                    key={String(id)}
                    label={name}
                    checked={!hiddenCategories.includes(id)}
                    disabled={isFixed}
                    onChange={({ currentTarget }) => show(id, currentTarget.checked)}
                  />
                ))}
              </div>
            </>
          )
        }
      </Loaded>
      {faults.hiddenCategories !== undefined && (
        <p role="alert" className="site-fault small">
          {faultAt(faults, 'hiddenCategories')}
        </p>
      )}
    </Group>
  )
}
