// Detects whether the server is reachable. An open page shows when it is not, polls until
// it is, and then refetches everything on it: no reload is needed.

import { useSyncExternalStore } from 'react'

const ASK_AGAIN_MS = 1500

let isLost = false
let timer: ReturnType<typeof setTimeout> | undefined
const watchers = new Set<() => void>()
const returns = new Set<() => void>()

function set(lost: boolean): void {
  if (lost === isLost) return
  isLost = lost
  for (const watcher of watchers) watcher()
  if (lost) timer = setTimeout(poll, ASK_AGAIN_MS)
  else {
    clearTimeout(timer)
    for (const listener of returns) listener()
  }
}

async function isThere(): Promise<boolean> {
  try {
    return (await fetch('/platform/v1/account', { cache: 'no-store' })).status < 500
  } catch {
    return false
  }
}

async function poll(): Promise<void> {
  if (await isThere()) return set(false)
  timer = setTimeout(poll, ASK_AGAIN_MS)
}

// A browser knows at once that it has no network; whether the server is back is polled.
addEventListener('offline', () => set(true))

export const connection = {
  lost: () => set(true),
  answered: () => set(false),
  onBack: (listener: () => void) => void returns.add(listener),
  isLost: () => isLost,
  /** Checks now. */
  async isThere(): Promise<boolean> {
    const isAnswered = await isThere()
    set(!isAnswered)
    return isAnswered
  },
  /** Settled when the server is reachable again. */
  back: (): Promise<void> =>
    new Promise((resolve) => {
      const settle = () => {
        returns.delete(settle)
        resolve()
      }
      if (isLost) returns.add(settle)
      else resolve()
    }),
}

/**
 * Uses the link of a mail that turns mails off, as mail programs do: it is no operation of the API. False if the
 * server does not know it.
 */
export async function unsubscribe(token: string): Promise<boolean> {
  const { ok, status } = await fetch(`/unsubscribe/${encodeURIComponent(token)}`, { method: 'POST' })
  if (!ok && status !== 404) throw new Error(`unsubscribing: ${status}`)
  return ok
}

/** Event streams are requested in this way, since an EventSource does not show why it was refused. */
export const requestStream = (url: string, signal: AbortSignal): Promise<Response> =>
  fetch(url, { headers: { Accept: 'text/event-stream' }, cache: 'no-store', redirect: 'error', signal })

/** The server ends an upload after five minutes; a request that is still open then has lost its connection. */
const UPLOAD_MS = 330_000

type Sending = { onProgress: (share: number) => void; signal: AbortSignal }

/** As `fetch`, and reports how much of the body is sent, which `fetch` cannot. */
export function sendWithProgress(
  url: string,
  { method = 'GET', headers, body }: RequestInit,
  { onProgress, signal }: Sending,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    request.open(method, url)
    new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value))
    request.timeout = UPLOAD_MS
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total))
    request.addEventListener('load', () => {
      const lines = request.getAllResponseHeaders().trim().split('\r\n')
      const named = lines.map((line) => line.split(/: ?(.*)/s, 2) as [string, string])
      resolve(new Response(request.responseText, { status: request.status, headers: named }))
    })
    for (const end of ['error', 'timeout', 'abort'])
      request.addEventListener(end, () => reject(new TypeError(`The upload ended: ${end}.`)))
    signal.addEventListener('abort', () => request.abort())
    // The client sends a Blob.
    request.send(body as Blob)
  })
}

/** Whether a newer version of this page is served: then its script has another name. */
export async function isReplaced(): Promise<boolean> {
  const own = document.querySelector('script[type="module"][src]')?.getAttribute('src')
  if (!own) return false
  try {
    const answer = await fetch(location.pathname, { cache: 'no-store' })
    return answer.ok && !(await answer.text()).includes(own)
  } catch {
    return false
  }
}

export const useIsLost = (): boolean =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => isLost,
  )
