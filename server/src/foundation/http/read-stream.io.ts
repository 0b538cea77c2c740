// Reads a stream of bytes into memory, up to a limit. It never rejects: how the stream ended is
// part of the result, because a request and a response draw different conclusions from it.

import type { Readable } from 'node:stream'

export type StreamRead = {
  /** `too_large`: paused at the first chunk beyond the limit. `broken`: closed before its end. */
  end: 'whole' | 'too_large' | 'broken'
  /** Everything that arrived; with `too_large` that includes the first chunk beyond the limit. */
  bytes: Buffer
  /** Why it is broken, if the stream says so. */
  error?: Error | undefined
}

export function readStream(stream: Readable, bytesMax: number): Promise<StreamRead> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (end: StreamRead['end'], error?: Error) => {
      stream.off('data', take)
      resolve({ end, bytes: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size), error })
    }
    const take = (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size <= bytesMax) return
      stream.pause()
      settle('too_large')
    }
    const breakOff = (error?: Error) => {
      if (!stream.readableEnded) settle('broken', error)
    }
    // The listeners stay after the promise has settled: a late error has no other handler.
    stream
      .on('data', take)
      .on('end', () => settle('whole'))
      .on('error', breakOff)
      .on('close', () => breakOff())
  })
}
