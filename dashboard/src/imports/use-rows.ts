// The rows of an import, page by page, and the change of a cell: the row comes back as it is judged then, and stays
// where it is, so that no row moves while a person corrects it.

import type { InfiniteData } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { client, usePages, useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import type { RowFilter } from './search.ts'
import type { ReviewRow } from './views.ts'

const ROWS_SHOWN = 50
const ROWS_AT_ONCE = 1000

type RowPages = InfiniteData<{ items: ReviewRow[]; next: string | undefined }>

export function useRows(importId: string, show: RowFilter) {
  const { slug: project } = useProject()
  const cache = useQueryClient()
  const pages = usePages('listImportRows', {
    project,
    importId,
    limit: ROWS_SHOWN,
    ...(show !== 'all' && { outcome: show }),
  })
  const put = useAction('putImportCell', { renews: ['getImport'] })
  const change = async (row: number, column: number, value: string): Promise<void> => {
    const changed = await put.mutateAsync({
      project,
      importId,
      row: String(row),
      column: String(column),
      body: { value },
    })
    const replaced = (known: ReviewRow) => (known.row === row ? changed : known)
    cache.setQueriesData<RowPages>(
      { queryKey: ['listImportRows', 'pages'] },
      (known) =>
        known && { ...known, pages: known.pages.map((page) => ({ ...page, items: page.items.map(replaced) })) },
    )
  }
  return { pages, change }
}

/** All rows of an import that was applied, for what concerns each of them. */
export async function loadRows(project: string, importId: string): Promise<ReviewRow[]> {
  const rows: ReviewRow[] = []
  let cursor: string | undefined
  do {
    const sent = { project, importId, limit: ROWS_AT_ONCE, ...(cursor !== undefined && { cursor }) }
    const { items, next } = await client.page('listImportRows', sent)
    rows.push(...items)
    cursor = next
  } while (cursor !== undefined)
  return rows
}
