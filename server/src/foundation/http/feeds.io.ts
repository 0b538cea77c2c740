// What open streams share. All streams of a process that watch the same subject have one feed: one subscription to its
// notifications and one poll, whatever their number; what a poll finds is passed on in memory. Notifications only
// hurry: a feed of which nothing is signalled polls as well, so a lost notification delays a change and never loses it.
//
// A feed keeps the current state, and each listener the state that it has seen. A listener that reads slowly gets the
// difference when it is ready, and nothing is queued for it.

import type { Context } from '../context.ts'
import type { Subscriptions } from '../postgres/subscriptions.ts'
import { pollDelay } from './feed-schedule.ts'

/** A subject that can be watched. States are compared by identity. */
export type Subject<State extends object> = {
  /** Subjects with the same name have one feed. */
  name: string
  subscriptions: Subscriptions
  /** What notifications of this subject carry. */
  payload: string
  quietMs: number
  /** The given state if nothing has changed; undefined if the subject no longer exists. */
  read: (before: State | undefined, isSignalled: boolean) => Promise<State | undefined>
  /** For a new listener: members of a JSON object; undefined if there is nothing to say. */
  first: (state: State) => string | undefined
  change: (before: State, state: State) => string | undefined
}

export type Listening = {
  /** What the listener has not received yet. */
  take: () => { fields?: string | undefined; isGone: boolean }
  drop: () => void
}

export type Feeds = {
  /** `wake` is called whenever there may be something to take. */
  listen<State extends object>(subject: Subject<State>, wake: () => void): Listening
}

type Feed = { listen(wake: () => void): Listening }

/** `isShared` is false only in a negative control, which shows that a poll per stream is detected. */
export function openFeeds(context: Pick<Context, 'monotonic' | 'onError'>, isShared = true): Feeds {
  const feeds = new Map<string, Feed>()
  let count = 0
  return {
    listen(subject, wake) {
      const key = isShared ? subject.name : `${subject.name} ${(count += 1)}`
      const known = feeds.get(key)
      if (known) return known.listen(wake)
      const onUnused = () => feeds.get(key) === feed && feeds.delete(key)
      const feed: Feed = openFeed(subject, context, onUnused)
      feeds.set(key, feed)
      return feed.listen(wake)
    },
  }
}

type Listener = { wake: () => void; needs: number; isNew: boolean }

function openFeed<State extends object>(
  subject: Subject<State>,
  { onError, monotonic }: Pick<Context, 'monotonic' | 'onError'>,
  onUnused: () => unknown,
): Feed {
  const { quietMs, read, first, change } = subject
  const listeners = new Set<Listener>()
  let state: State | undefined
  let isGone = false
  // Most listeners have seen the state before the last one.
  let last: { before: State; fields: string | undefined } | undefined
  let [started, completed] = [0, 0]
  let startedAt: number | undefined
  let [isSignalled, hasFailed, isPolling, isClosed] = [false, false, false, false]
  let timer: NodeJS.Timeout | undefined

  const schedule = () => {
    clearTimeout(timer)
    if (isPolling || isClosed || isGone) return
    const feed = { startedAt, isSignalled, hasFailed, listeners: listeners.size, quietMs }
    timer = setTimeout(() => void poll(), pollDelay(feed, monotonic()))
  }
  const signal = () => {
    if (isSignalled) return
    isSignalled = true
    schedule()
  }
  const settle = (found: State | undefined, number: number) => {
    const before = state
    completed = number
    isGone = found === undefined
    state = found
    const isChanged = found !== before
    if (isChanged) last = before && found && { before, fields: change(before, found) }
    // A subject of the same name may exist again later.
    if (isGone) onUnused()
    for (const listener of listeners) {
      const isReady = listener.needs <= completed
      if (!isGone && !(isReady && (isChanged || listener.isNew))) continue
      listener.isNew = false
      listener.wake()
    }
  }
  const poll = async () => {
    const wasSignalled = isSignalled
    isPolling = true
    isSignalled = false
    startedAt = monotonic()
    started += 1
    try {
      settle(await read(state, wasSignalled), started)
      hasFailed = false
    } catch (error) {
      // Once, and not each second until it succeeds.
      if (!hasFailed) onError(error as Error)
      hasFailed = true
      isSignalled ||= wasSignalled
    } finally {
      isPolling = false
      schedule()
    }
  }
  const unsubscribe = subject.subscriptions.subscribe(subject.payload, signal)

  return {
    listen(wake) {
      // Only a poll that starts from now on finds all that happened before.
      const listener: Listener = { wake, needs: started + 1, isNew: true }
      let seen: State | undefined
      listeners.add(listener)
      signal()
      return {
        take() {
          if (isGone || !state || completed < listener.needs || seen === state) return { isGone }
          const fields = seen === undefined ? first(state) : last?.before === seen ? last.fields : change(seen, state)
          seen = state
          return { fields, isGone }
        },
        drop() {
          listeners.delete(listener)
          if (listeners.size > 0 || isClosed) return
          isClosed = true
          clearTimeout(timer)
          unsubscribe()
          onUnused()
        },
      }
    },
  }
}
