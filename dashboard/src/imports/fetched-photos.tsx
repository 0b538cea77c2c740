// Photos that the file names by their web address: the worker fetches them, and this counts.

import { Button, Progress } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Section } from '../ui/page.tsx'
import { loadRows } from './use-rows.ts'
import type { FoundImport } from './views.ts'

const words = texts.imports

export function FetchedPhotos({ found: { id, photos } }: { found: FoundImport }) {
  if (!photos) return null
  const { pending, added, failed } = photos
  const all = pending + added + failed
  if (all === 0) return null
  const said = pending > 0 ? words.fetching(all - pending, all) : words.fetched(added)
  return (
    <Section title={words.fetchedTitle}>
      {pending > 0 && <Progress value={((all - pending) / all) * 100} aria-label={said} />}
      <p className="plain">{said}</p>
      {failed > 0 && <NotFetched importId={id} count={failed} />}
    </Section>
  )
}

function NotFetched({ importId, count }: { importId: string; count: number }) {
  const { slug } = useProject()
  const [isShown, setIsShown] = useState(false)
  const rows = useQuery({
    queryKey: ['importPhotos', { project: slug, importId, count }],
    queryFn: () => loadRows(slug, importId),
    enabled: isShown,
  })
  const failed = (rows.data ?? []).flatMap(({ row, photos }) =>
    photos.filter(({ state }) => state === 'failed').map(({ name, reason }) => ({ row, name, reason })),
  )
  return (
    <>
      <div className="note warn row apart">
        <span>{words.notFetched(count)}</span>
        {!isShown && (
          <Button size="xs" variant="default" onClick={() => setIsShown(true)}>
            {words.showNotFetched}
          </Button>
        )}
      </div>
      {failed.length > 0 && (
        <ul className="import-files">
          {failed.map(({ row, name, reason }) => (
            <li key={`${row} ${name}`}>{words.problemAt(row, name, reason ?? words.photoFailed)}</li>
          ))}
        </ul>
      )}
    </>
  )
}
