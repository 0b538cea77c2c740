// The photos of an animal, as the page changes them: shown at once, then sent. What the server rejects is fetched again.

import { PlatformError, type Received, type Sent } from '@petstore-platform/contract/platform/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { client, query, useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { notify } from '../ui/toasts.ts'
import { reordered } from './photo-order.ts'

export type Photo = Received<'getAnimal'>['photos'][number]
export type PhotoChange = Sent<'changePhoto'>['body']

const words = texts.photos
const POLL_MS = 1000

export type Photos = {
  change: (id: string, change: PhotoChange) => Promise<void>
  /** `isExpected`: photos that have come in the meantime are ours. */
  order: (ids: readonly string[], isExpected: () => boolean) => Promise<void>
  remove: (id: string) => Promise<void>
  /** One that was uploaded now. */
  add: (photo: Photo) => void
}

export function usePhotos(petId: bigint, photos: readonly Photo[]): Photos {
  const { slug: project } = useProject()
  const cache = useQueryClient()
  const { queryKey } = query('getAnimal', { project, petId })
  const lists = ['listAnimals'] as const
  const changing = useAction('changePhoto', { renews: lists })
  const ordering = useAction('orderPhotos', { renews: lists, onRefused: ({ status }) => status === 409 })
  const deleting = useAction('deletePhoto', { renews: lists, done: words.wasDeleted })
  /** A response to a request from before a change would take the change back. */
  const changes = useRef(0)

  const set = (change: Photo[] | ((known: readonly Photo[]) => Photo[])) => {
    changes.current += 1
    const photosOf = typeof change === 'function' ? change : () => change
    cache.setQueryData(queryKey, (known) => known && { ...known, photos: photosOf(known.photos) })
  }
  /** Only the photos: what is typed in the rest of the page stays as it is. */
  const refetch = async (): Promise<Photo[]> => {
    const before = changes.current
    const { photos: fresh } = await client.call('getAnimal', { project, petId })
    if (changes.current === before) set(fresh)
    return fresh
  }
  /** A failure to fetch is shown by the page. */
  const again = () => refetch().then(nothing, nothing)

  useQuery({
    queryKey: ['photosInProgress', { project, petId }],
    queryFn: refetch,
    enabled: photos.some(({ state }) => state === 'processing'),
    refetchInterval: POLL_MS,
    gcTime: 0,
  })

  const sendOrder = (photoIds: string[]) => ordering.mutateAsync({ project, petId, body: { photoIds } })
  /** Photos of ours that arrived while the order was on its way are put last. */
  async function ordered(ids: string[], isExpected: () => boolean): Promise<Photo[]> {
    try {
      return await sendOrder(ids)
    } catch (error) {
      if (!isConflict(error) || !isExpected()) throw error
      return sendOrder(reordered(await refetch(), ids).map(({ id }) => id))
    }
  }
  return {
    async change(photoId, change) {
      // One that is rotated is prepared again.
      const state = change.turn === undefined ? {} : { state: 'processing' as const }
      set((known) => known.map((photo) => (photo.id === photoId ? { ...photo, ...change, ...state } : photo)))
      try {
        const changed = await changing.mutateAsync({ project, petId, photoId, body: change })
        set((known) => known.map((photo) => (photo.id === photoId ? changed : photo)))
      } catch {
        await again()
      }
    },
    async order(ids, isExpected) {
      set((known) => reordered(known, ids))
      try {
        set(await ordered([...ids], isExpected))
      } catch (error) {
        // Other failures have been shown.
        if (isConflict(error)) notify({ message: words.conflict, isBad: true })
        await again()
      }
    },
    async remove(photoId) {
      const gone = (known: readonly Photo[]) => known.filter(({ id }) => id !== photoId)
      await deleting.mutateAsync({ project, petId, photoId }).then(() => set(gone), again)
    },
    add: (photo) => set((known) => (known.some(({ id }) => id === photo.id) ? [...known] : [...known, photo])),
  }
}

const isConflict = (error: unknown) => error instanceof PlatformError && error.status === 409
const nothing = () => {}
