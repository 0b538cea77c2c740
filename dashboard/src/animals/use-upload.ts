// Sending a file, as a page shows it: not begun, under way, stopped, or arrived.

import type { OnBadLine } from '@petstore-platform/contract/platform/imports'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { queryClient, renew, wordsOf } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import { beginUpload, progressOf, sendOn, type Upload } from './upload.ts'

export function useUpload() {
  const { slug } = useProject()
  const [upload, setUpload] = useState<Upload>()
  const leaving = useRef<AbortController>(undefined)
  // Leaving the page abandons what was not sent.
  useEffect(() => () => leaving.current?.abort(), [])

  const sending = useMutation({
    mutationFn: (begun: Upload) => {
      leaving.current = new AbortController()
      return sendOn(begun, setUpload, leaving.current.signal)
    },
    onSettled: () => renew(queryClient, ['listImports']),
  })
  return {
    progress: upload && progressOf(upload),
    isSending: sending.isPending,
    /** Why it stopped. */
    stopped: sending.error ? wordsOf(sending.error) : undefined,
    /** Of the import, once all of the file is there. */
    arrived: sending.data,
    begin: (file: File, onBadLine: OnBadLine) => sending.mutate(beginUpload(slug, file, onBadLine)),
    goOn: () => upload && sending.mutate(upload),
    reset: () => {
      leaving.current?.abort()
      setUpload(undefined)
      sending.reset()
    },
  }
}
