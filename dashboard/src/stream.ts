// The event stream of this browser, for the pages of this tab. The tab that holds a Web Lock leads, and tabs exchange
// messages on a BroadcastChannel; without them, in an old browser or an insecure context, each tab leads itself. All
// decisions are in stream-sharing.ts.

import type { TopicChanged, TopicEnded } from '@petstore-platform/contract/platform/watching'
import { client } from './api.ts'
import { connection, requestStream } from './connection.ts'
import { EventBlocks, waitAfterRefusal } from './event-blocks.ts'
import { SHARED_NAME, StreamSharing, type TabMessage, type TopicEvent, type TopicReport } from './stream-sharing.ts'

const AGAIN_MS = 4000
/** Less than the ten seconds of events that a new stream repeats. */
const OPENED_WITHIN_MS = 8000
/** The server sends at least a comment every 15 seconds. */
const SILENT_MS = 60_000

type Listener<Changed extends TopicChanged> = {
  onChanged: (changed: Changed) => void
  /** The server sends nothing more about the topic. */
  onEnded: (reason: TopicEnded['reason']) => void
  /** Events are received from now on; `hasMissed`: what the page shows may be old. */
  onOpen: (hasMissed: boolean) => void
  /** The stream broke off or was refused. */
  onLost: () => void
  /** The tab is hidden, and receives nothing until it is in front again. */
  onAway: () => void
}

const listeners = new Map<string, Set<Listener<never>>>()

/** Watches a topic until the returned function is called. */
export function watchTopic<Changed extends TopicChanged>(topic: string, listener: Listener<Changed>): () => void {
  start()
  const ofTopic = listeners.get(topic) ?? new Set()
  listeners.set(topic, ofTopic.add(listener))
  update()
  return () => {
    ofTopic.delete(listener)
    if (ofTopic.size === 0) listeners.delete(topic)
    update()
  }
}

/** After signing in or out: no tab receives events with the rights of the previous account. */
export function endStreamOfAccount(): void {
  start()
  sharing.changeAccount()
}

let channel: BroadcastChannel | undefined
let leadership: AbortController | undefined
let stream: AbortController | undefined
let timer: ReturnType<typeof setTimeout> | undefined

const sharing = new StreamSharing(crypto.getRandomValues(new Uint32Array(4)).join('-'), {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel belongs to one origin
  send: (message) => channel?.postMessage(message),
  contend() {
    leadership = new AbortController()
    void contendFor(leadership.signal)
  },
  resign: () => leadership?.abort(),
  open(topics) {
    stream?.abort()
    stream = new AbortController()
    if (topics.length > 0) void receive(topics, stream.signal)
  },
  wakeIn(ms) {
    clearTimeout(timer)
    timer = setTimeout(() => sharing.wake(), ms)
  },
  report(topic, report) {
    for (const listener of listeners.get(topic) ?? []) pass(listener, report)
  },
})

/** What one task changes, such as a page that replaces another, is one change. */
let isUpdating = false
function update(): void {
  if (isUpdating) return
  isUpdating = true
  queueMicrotask(() => {
    isUpdating = false
    sharing.watch([...listeners.keys()])
  })
}

let isStarted = false
function start(): void {
  if (isStarted) return
  isStarted = true
  const look = () => sharing.setPresent(document.visibilityState === 'visible')
  const enter = () => {
    channel = isShared() ? new BroadcastChannel(SHARED_NAME) : undefined
    channel?.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => sharing.hear(data))
    look()
  }
  enter()
  document.addEventListener('visibilitychange', look)
  // A page in the back-forward cache may hold neither a lock nor a channel.
  addEventListener('pagehide', () => {
    sharing.setPresent(false)
    channel?.close()
    channel = undefined
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) enter()
  })
  connection.onBack(() => sharing.wake())
}

const isShared = () => 'locks' in navigator && 'BroadcastChannel' in globalThis

/** Holds the lock until the signal is aborted. */
async function contendFor(signal: AbortSignal): Promise<void> {
  if (!isShared()) return sharing.lead()
  const held = () =>
    new Promise<void>((release) => {
      if (signal.aborted) return release()
      signal.addEventListener('abort', () => release())
      sharing.lead()
    })
  // Aborted while it waits: another tab leads.
  await navigator.locks.request(SHARED_NAME, { signal }, held).catch(() => {})
}

async function receive(topics: readonly string[], signal: AbortSignal): Promise<void> {
  const waitMs = await readStream(topics, signal)
  // Not all browsers at the same instant.
  if (!signal.aborted) sharing.interrupted(waitMs * (1 + Math.random() / 4))
}

/** Until it ends. Returns how long to wait before the next attempt. */
async function readStream(topics: readonly string[], signal: AbortSignal): Promise<number> {
  const dead = new AbortController()
  let limit = setTimeout(() => dead.abort(), OPENED_WITHIN_MS)
  const blocks = new EventBlocks()
  try {
    const address = client.addressOf('watch', { topics: topics.join(',') })
    const response = await requestStream(address, AbortSignal.any([signal, dead.signal]))
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream')
    if (!response.ok || !isStream || !response.body) return waitAfterRefusal(response.headers, AGAIN_MS)
    sharing.opened()
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      clearTimeout(limit)
      limit = setTimeout(() => dead.abort(), SILENT_MS)
      const { value, done } = await reader.read()
      if (done) break
      connection.answered()
      for (const { name, data } of blocks.add(value)) {
        if (signal.aborted) return AGAIN_MS
        sharing.received({ name, data: JSON.parse(data) as TopicEvent['data'] })
      }
    }
  } catch {
    // Without a response, or broken off: the pages find out which.
  } finally {
    clearTimeout(limit)
  }
  return blocks.retryMs ?? AGAIN_MS
}

function pass(listener: Listener<never>, report: TopicReport): void {
  if (report.kind === 'open') listener.onOpen(report.hasMissed)
  else if (report.kind === 'lost') listener.onLost()
  else if (report.kind === 'away') listener.onAway()
  else if (report.event.name === 'changed') {
    connection.answered()
    listener.onChanged(report.event.data as never)
  } else if (report.event.name === 'ended') listener.onEnded((report.event.data as TopicEnded).reason)
}
