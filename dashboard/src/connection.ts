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
