// Sending a file, as a page shows it: not begun, under way, or stopped.

import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { queryClient, wordsOf } from '../api.ts'
import { renew } from '../renew.ts'
import { useProject } from '../shell/project-context.ts'
import { beginUpload, progressOf, sendOn, type Upload } from './upload.ts'

/** `onArrived`: all of the file is there, and is being read. */
export function useUpload(onArrived: (importId: string) => void) {
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
    onSuccess: onArrived,
    onSettled: () => renew(queryClient, ['listImports']),
  })
  return {
    progress: upload && progressOf(upload),
    isSending: sending.isPending || sending.isSuccess,
    /** Why it stopped. */
    stopped: sending.error ? wordsOf(sending.error) : undefined,
    begin: (file: File) => sending.mutate(beginUpload(slug, file)),
    goOn: () => upload && sending.mutate(upload),
    reset: () => {
      leaving.current?.abort()
      setUpload(undefined)
      sending.reset()
    },
  }
}
