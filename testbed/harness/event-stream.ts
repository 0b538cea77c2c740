// A reader of server-sent events that behaves like a browser: returns one event after the other,
// as they come, until the server or the reader ends the stream.

import { request } from 'node:http'

export type StreamEvent = { event: string; data: string }

export type EventStream = {
  status: number
  type: string | undefined
  /** The next event; undefined if the stream ended instead. Comments are left out. */
  next(): Promise<StreamEvent | undefined>
  /** Everything received, including comments. */
  text(): string
  /** Resolves when the server ends it. */
  ended: Promise<void>
  close(): void
}

export function openEvents(origin: string, path: string, headers: Record<string, string>): Promise<EventStream> {
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}${path}`, { headers, agent: false }, (response) => {
      const waiting: ((event: StreamEvent | undefined) => void)[] = []
      const come: StreamEvent[] = []
      const state = { isOver: false }
      let [text, read] = ['', 0]
      const give = () => {
        while (waiting.length > 0 && (come.length > 0 || state.isOver)) waiting.shift()?.(come.shift())
      }
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      response.setEncoding('utf8')
      response.on('data', (piece: string) => {
        text += piece
        for (let at = text.indexOf('\n\n', read); at !== -1; at = text.indexOf('\n\n', read)) {
          const event = eventFrom(text.slice(read, at))
          read = at + 2
          if (event) come.push(event)
        }
        give()
      })
      response.on('error', () => {})
      response.on('close', () => {
        state.isOver = true
        give()
        end()
      })
      resolve({
        status: response.statusCode ?? 0,
        type: response.headers['content-type'],
        next: () =>
          new Promise((taken) => {
            waiting.push(taken)
            give()
          }),
        text: () => text,
        ended,
        close: () => void sent.destroy(),
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** As an open page of the dashboard watches: resolves when the current state of each topic has come. */
export async function watchTopics(
  origin: string,
  topics: readonly string[],
  headers: Record<string, string>,
): Promise<EventStream> {
  const stream = await openEvents(origin, `/platform/v1/watch?topics=${topics.join(',')}`, headers)
  for (const _ of topics) {
    const first = await stream.next()
    if (first?.event !== 'changed') throw new Error(`${topics.join(', ')} cannot be watched: ${stream.text()}`)
  }
  return stream
}

function eventFrom(block: string): StreamEvent | undefined {
  const fields = block.split('\n').map((line) => line.split(/: ?(.*)/s))
  const data = fields.filter(([name]) => name === 'data').map(([, value = '']) => value)
  if (data.length === 0) return undefined
  return { event: fields.find(([name]) => name === 'event')?.[1] ?? 'message', data: data.join('\n') }
}
