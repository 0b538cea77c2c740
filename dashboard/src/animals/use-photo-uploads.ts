// Uploads of an animal's page: what is chosen, dropped or pasted goes to the server, and is shown from this device
// until the server has prepared it.

import type { PHOTOS_MAX } from '@petstore-platform/contract/platform/photos'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { uploadPhoto } from '../api.ts'
import { photoSending } from '../photo-sending.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { createPhotoUploads } from '../ui/photo-uploads.ts'
import { asChosen, isSameOrder } from './photo-order.ts'
import type { Photo, Photos } from './use-photos.ts'

export const MOST_PHOTOS: typeof PHOTOS_MAX = 20

const words = texts.photos

/** A file with the address at which this page shows it. */
export type PhotoSource = { file: File; url: string }

export function usePhotoUploads(petId: bigint, photos: readonly Photo[], store: Photos, say: (text: string) => void) {
  const { slug: project } = useProject()
  /** Of photos that were uploaded from this page, by their digest: a rotated one has another. */
  const [previews] = useState(() => new Map<string, string>())
  const [chosenAt] = useState(() => new Map<string, number>())
  const [leftOut, setLeftOut] = useState(0)
  const current = useRef({ photos, store, say })
  useEffect(() => {
    current.current = { photos, store, say }
  })

  const [uploads] = useState(() =>
    createPhotoUploads<PhotoSource, Photo>({
      ...photoSending,
      send: (body, options) => uploadPhoto({ project, petId, body }, options),
      onAdded(photo, { url }, at) {
        previews.set(photo.digest, url)
        chosenAt.set(photo.id, at)
        current.current.store.add(photo)
      },
      // After the last one is in the list.
      onDone: () => setTimeout(finish),
    }),
  )
  function finish(): void {
    if (chosenAt.size === 0) return
    const {
      photos: all,
      store: { order },
      say: announce,
    } = current.current
    const ids = all.map(({ id }) => id)
    const wished = asChosen(ids, chosenAt)
    announce(words.added(chosenAt.size))
    chosenAt.clear()
    if (!isSameOrder(ids, wished)) void order(wished, () => false)
  }
  const list = useSyncExternalStore(uploads.watch, uploads.now)

  useEffect(
    () => () => {
      for (const { source } of uploads.now()) URL.revokeObjectURL(source.url)
      uploads.cancelAll()
      for (const url of previews.values()) URL.revokeObjectURL(url)
    },
    [uploads, previews],
  )
  const leaving = useBlocker({
    shouldBlockFn: () => uploads.isRunning(),
    enableBeforeUnload: uploads.isRunning,
    withResolver: true,
  })

  const capacity = MOST_PHOTOS - photos.length - list.length
  return {
    list,
    leftOut,
    capacity,
    leaving,
    isRunning: uploads.isRunning,
    previewOf: ({ digest }: Photo) => previews.get(digest),
    add: (files: readonly File[]) => {
      const taken = files.slice(0, Math.max(0, capacity))
      setLeftOut(files.length - taken.length)
      uploads.add(taken.map((file) => ({ file, url: URL.createObjectURL(file) })))
    },
    retry: uploads.retry,
    cancel: uploads.cancel,
    /** An order that a person chose is not changed when the last photo arrives. */
    keepOrder: () => chosenAt.clear(),
  }
}
