// A server-sent event stream over several topics, each of which has its feed and ends on its own. Whether a client is
// still allowed is decided in memory (`isStillAllowed`) before each piece, and counts against no quota.

import { SECOND } from '../time.ts'
import type { Listening } from './feeds.io.ts'

/** After this time a client connects again. */
const RETRY_MS = 2 * SECOND

export type StreamTopic = {
  /** As the client named it. */
  topic: string
  /** Undefined if the client may not watch it. */
  listen: ((wake: () => void) => Listening) | undefined
  isStillAllowed: () => boolean
}

export type EventStream = {
  pieces: AsyncIterable<string>
  /** Looks whether there is something to send, or whether the client is still allowed; otherwise shows that it is there. */
  wake: () => void
}

/** `ended` is aborted when the client disconnects, or at shutdown. */
export function openEventStream({
  topics,
  ended,
  isStillAllowed,
}: {
  topics: readonly StreamTopic[]
  ended: AbortSignal
  isStillAllowed: () => boolean
}): EventStream {
  let isWoken = false
  let resolve = () => {}
  const wake = () => {
    isWoken = true
    resolve()
  }
  const woken = async () => {
    if (!isWoken) await new Promise<void>((done) => (resolve = done))
    isWoken = false
  }

  async function* pieces(): AsyncGenerator<string> {
    let open = topics.map(({ listen, ...one }) => ({ ...one, listening: listen?.(wake) }))
    // Those that may not be watched are known already.
    if (open.some(({ listening }) => !listening)) wake()
    ended.addEventListener('abort', wake, { once: true })
    try {
      yield `retry: ${RETRY_MS}\n\n`
      while (open.length > 0) {
        if (!ended.aborted) await woken()
        if (ended.aborted) {
          // At shutdown: another process serves already. Not all at the same instant.
          yield `retry: ${Math.round(RETRY_MS * (0.25 + Math.random()))}\n\n`
          return
        }
        if (!isStillAllowed()) return
        let text = ''
        open = open.filter((one) => {
          const { text: own, isOver } = pieceOf(one)
          text += own
          if (isOver) one.listening?.drop()
          return !isOver
        })
        yield text === '' ? ': still here\n\n' : text
      }
    } finally {
      for (const { listening } of open) listening?.drop()
    }
  }
  return { pieces: pieces(), wake }
}

type OpenTopic = Pick<StreamTopic, 'topic' | 'isStillAllowed'> & { listening: Listening | undefined }

function pieceOf({ topic, listening, isStillAllowed }: OpenTopic): { text: string; isOver: boolean } {
  if (!listening || !isStillAllowed()) return { text: endedText(topic, 'not_allowed'), isOver: true }
  const { fields, isGone } = listening.take()
  if (isGone) return { text: endedText(topic, 'removed'), isOver: true }
  const isQuiet = fields === undefined
  return {
    text: isQuiet ? '' : `event: changed\ndata: {"topic":${JSON.stringify(topic)},${fields}}\n\n`,
    isOver: false,
  }
}

const endedText = (topic: string, reason: 'removed' | 'not_allowed') =>
  `event: ended\ndata: ${JSON.stringify({ topic, reason })}\n\n`
