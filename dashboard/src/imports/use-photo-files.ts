// Photos that were chosen for the animals of an import: matched by their file names, and uploaded. The key of each names
// the import, so that undoing it removes the photo, and its row and file, so that it is added once.

import { useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { uploadPhoto, wordsOf } from '../api.ts'
import { photoSending } from '../photo-sending.ts'
import { useProject } from '../shell/project-context.ts'
import { createPhotoUploads } from '../ui/photo-uploads.ts'
import { inTurns, photoMatcher, type PhotoTarget } from './photo-matching.ts'
import { loadRows } from './use-rows.ts'
import type { FoundImport } from './views.ts'

type Chosen = { file: File; target: PhotoTarget; key: string }

export function usePhotoFiles({ id, table }: FoundImport) {
  const { slug: project } = useProject()
  const cache = useQueryClient()
  const [isMatching, setIsMatching] = useState(false)
  const [fault, setFault] = useState<string>()
  const [unmatched, setUnmatched] = useState<readonly string[]>([])
  const [count, setCount] = useState({ chosen: 0, sent: 0 })
  /** By the keys of all that were chosen. */
  const [targets] = useState(() => new Map<string, PhotoTarget>())
  const [uploads] = useState(() =>
    createPhotoUploads<Chosen, unknown>({
      ...photoSending,
      send: (body, options) => {
        const { animalId: petId } = targets.get(options.key) ?? {}
        if (petId === undefined) throw new Error('a photo of no animal')
        return uploadPhoto({ project, petId, body }, options)
      },
      newKey: ({ key }) => key,
      onAdded: () => setCount(({ chosen, sent }) => ({ chosen, sent: sent + 1 })),
      onDone: () => void cache.invalidateQueries({ queryKey: ['listAnimals'] }),
    }),
  )
  const list = useSyncExternalStore(uploads.watch, uploads.now)
  useEffect(() => () => uploads.cancelAll(), [uploads])
  const leaving = useBlocker({
    shouldBlockFn: () => uploads.isRunning(),
    enableBeforeUnload: uploads.isRunning,
    withResolver: true,
  })

  async function add(files: readonly File[]): Promise<void> {
    setIsMatching(true)
    setFault(undefined)
    try {
      const rows = await cache.fetchQuery({
        queryKey: ['importRows', { project, importId: id }],
        queryFn: () => loadRows(project, id),
        staleTime: Infinity,
      })
      const columns = (table?.columns ?? []).filter(({ field }) => field === 'name' || field === 'externalId')
      const match = photoMatcher(
        rows,
        columns.map(({ index }) => index),
      )
      const chosen: Chosen[] = []
      const without: string[] = []
      for (const file of files) {
        const target = match(file.name)
        if (!target) without.push(file.name)
        else chosen.push({ file, target, key: await keyOf(id, target, file) })
      }
      const fresh = chosen.filter(({ key }) => !targets.has(key))
      for (const { key, target } of fresh) targets.set(key, target)
      setUnmatched(without)
      setCount((before) => ({ ...before, chosen: before.chosen + fresh.length }))
      uploads.add(inTurns(fresh))
    } catch (error) {
      setFault(wordsOf(error))
    } finally {
      setIsMatching(false)
    }
  }
  return {
    add: (files: readonly File[]) => void add(files),
    isMatching,
    fault,
    unmatched,
    ...count,
    stopped: list.filter(({ step }) => step === 'failed' || step === 'pausing'),
    retry: uploads.retry,
    remove: (key: string) => {
      uploads.cancel(key)
      targets.delete(key)
      setCount(({ chosen, sent }) => ({ chosen: chosen - 1, sent }))
    },
    leaving,
  }
}

async function keyOf(importId: string, { row }: PhotoTarget, { name, size }: File): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${name} ${size}`))
  const hex = [...new Uint8Array(digest).slice(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${importId}-${row}-${hex}`
}
