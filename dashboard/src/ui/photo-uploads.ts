// Uploads photos: two at once, the others wait. A photo is sent again with the same key after
// failures that pass, so that it is added once, however often it was sent. What it touches
// (the picture, the network, the clock) are arguments.

import { NoAnswer, PlatformError } from '@petstore-platform/contract/platform/client'

const AT_ONCE = 2
const ATTEMPTS = 5
const FIRST_PAUSE_MS = 1000

export type UploadStep =
  | { step: 'waiting' }
  /** `share`: from 0 to 1. */
  | { step: 'sending'; share: number }
  /** Interrupted; it will be sent again after a pause. */
  | { step: 'pausing' }
  | { step: 'failed'; words: string; mayRetry: boolean }

export type PhotoUpload<Source> = { id: string; source: Source } & UploadStep

type SendOptions = { key: string; onProgress: (share: number) => void; signal: AbortSignal }

export type UploadDeps<Source, Added> = {
  prepare: (source: Source) => Promise<Blob>
  send: (body: Blob, options: SendOptions) => Promise<Added>
  /** Ends early if the signal is aborted, and never fails. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  newKey: (source: Source) => string
  /** What a failure means, for people. */
  wordsOf: (error: unknown) => string
  /** Each that has arrived; `chosenAt` counts all that were ever chosen. */
  onAdded: (added: Added, source: Source, chosenAt: number) => void
  /** None is left that is under way. */
  onDone: () => void
}

export type PhotoUploads<Source> = {
  now: () => readonly PhotoUpload<Source>[]
  watch: (watcher: () => void) => () => void
  add: (sources: readonly Source[]) => void
  /** Sends one now that failed or pauses. */
  retry: (id: string) => void
  /** Cancels one, or removes it if it failed. */
  cancel: (id: string) => void
  cancelAll: () => void
  isRunning: () => boolean
}

type Entry<Source> = {
  upload: PhotoUpload<Source>
  chosenAt: number
  body: Blob | undefined
  cancelled: AbortController
  /** Ends the pause before the next attempt. */
  wake: () => void
}

export function createPhotoUploads<Source, Added>(deps: UploadDeps<Source, Added>): PhotoUploads<Source> {
  const { prepare, send, pause, newKey, wordsOf, onAdded, onDone } = deps
  let entries: Entry<Source>[] = []
  let shown: readonly PhotoUpload<Source>[] = []
  let chosen = 0
  let running = 0
  const watchers = new Set<() => void>()

  function show(): void {
    shown = entries.map(({ upload }) => upload)
    for (const watcher of watchers) watcher()
  }
  function set(entry: Entry<Source>, step: UploadStep): void {
    const { id, source } = entry.upload
    entry.upload = { id, source, ...step }
    show()
  }
  function drop(entry: Entry<Source>): void {
    entries = entries.filter((other) => other !== entry)
    show()
  }

  function next(): void {
    while (running < AT_ONCE) {
      const waiting = entries.find(({ upload }) => upload.step === 'waiting')
      if (!waiting) return
      running += 1
      // Taken before it is prepared, or it would be taken twice.
      set(waiting, { step: 'sending', share: 0 })
      void run(waiting).finally(() => {
        running -= 1
        next()
        if (!isRunning()) onDone()
      })
    }
  }

  async function run(entry: Entry<Source>): Promise<void> {
    const { signal } = entry.cancelled
    const { id: key, source } = entry.upload
    const onProgress = (share: number) => set(entry, { step: 'sending', share })
    for (let attempt = 1; ; attempt += 1) {
      try {
        const body = (entry.body ??= await prepare(source))
        signal.throwIfAborted()
        set(entry, { step: 'sending', share: 0 })
        const added = await send(body, { key, onProgress, signal })
        drop(entry)
        onAdded(added, source, entry.chosenAt)
        return
      } catch (error) {
        if (signal.aborted) return
        const ms = pauseBefore(error, attempt)
        if (ms === undefined || attempt === ATTEMPTS) {
          set(entry, { step: 'failed', words: wordsOf(error), mayRetry: ms !== undefined })
          return
        }
        const woken = new AbortController()
        entry.wake = () => woken.abort()
        set(entry, { step: 'pausing' })
        await pause(ms, AbortSignal.any([signal, woken.signal]))
        if (signal.aborted) return
      }
    }
  }

  const find = (id: string) => entries.find(({ upload }) => upload.id === id)
  const isRunning = () => entries.some(({ upload }) => upload.step !== 'failed')
  const cancel = (id: string) => {
    const entry = find(id)
    if (!entry) return
    drop(entry)
    entry.cancelled.abort()
  }
  return {
    now: () => shown,
    watch: (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    add(sources) {
      for (const source of sources) {
        chosen += 1
        const upload = { id: newKey(source), source, step: 'waiting' as const }
        const cancelled = new AbortController()
        entries.push({ upload, chosenAt: chosen, body: undefined, cancelled, wake: () => {} })
      }
      show()
      next()
    },
    retry(id) {
      const entry = find(id)
      if (entry?.upload.step === 'pausing') entry.wake()
      if (entry?.upload.step !== 'failed') return
      set(entry, { step: 'waiting' })
      next()
    },
    cancel,
    cancelAll() {
      for (const { id } of shown) cancel(id)
    },
    isRunning,
  }
}

/** How long to wait before a request is sent again; undefined if it would fail again. */
export function pauseBefore(error: unknown, attempt: number): number | undefined {
  const pause = FIRST_PAUSE_MS * 2 ** (attempt - 1)
  if (error instanceof NoAnswer) return pause
  if (!(error instanceof PlatformError)) return undefined
  // The server may still be busy with the attempt whose response was lost, or have ended this one because others are faster.
  const isPassing = [408, 429, 503].includes(error.status) || error.code === 'idempotency_key_in_use'
  if (!isPassing) return undefined
  return Math.max(pause, Number(error.headers.get('retry-after') ?? 0) * 1000 || 0)
}
