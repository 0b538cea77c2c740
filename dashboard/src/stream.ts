// Server-sent event streams. A browser reconnects automatically, unless the stream was
// refused; then we do. Until it is open, the page polls.

import { connection } from './connection.ts'

const AGAIN_MS = 4000

type Listeners = {
  /** By the name of the event. */
  events: Readonly<Record<string, (data: string) => void>>
  onOpen?: () => void
  onLost: () => void
}

export type Stream = { close: () => void }

export function openStream(address: string, { events, onOpen, onLost }: Listeners): Stream {
  let again: ReturnType<typeof setTimeout> | undefined
  let source: EventSource
  const listen = () => {
    source = new EventSource(address)
    source.addEventListener('open', () => onOpen?.())
    for (const [name, heard] of Object.entries(events)) {
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        connection.answered()
        heard(data)
      })
    }
    source.addEventListener('error', () => {
      onLost()
      if (source.readyState === EventSource.CLOSED) again = setTimeout(listen, AGAIN_MS)
    })
  }
  listen()
  return {
    close() {
      clearTimeout(again)
      source.close()
    },
  }
}
