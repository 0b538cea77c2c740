// Reads a request body up to a size limit: an oversized body is rejected by its declared length
// before a byte is read, otherwise while it streams in.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { Refusal } from '../refusal.ts'

export const BODY_BYTES_MAX = 16 * 1024

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

export async function readBytes(request: IncomingMessage, response: ServerResponse, bytesMax: number): Promise<Buffer> {
  refuseDeclared(request, bytesMax)
  askForBody(request, response)
  const { end, bytes } = await readStream(request, bytesMax)
  if (end === 'whole') return bytes
  // The connection broke, or the parser rejected the rest; socket-errors.io.ts responds to a client
  // that is still connected.
  throw end === 'broken' ? incomplete() : tooLarge(bytesMax)
}

/** By its declared length. */
export function refuseDeclared({ headers }: IncomingMessage, bytesMax: number): void {
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax)
}

/** A client that waits for it sends nothing before. */
export function askForBody({ headers, httpVersion }: IncomingMessage, response: ServerResponse): void {
  if (headers.expect !== undefined && httpVersion === '1.1') response.writeContinue()
}

export const incomplete = () => new Refusal('malformed_request', 'The request body was incomplete.')

/**
 * The rest stays unread; the connection is closed in a way that lets a client that is still sending
 * receive the response.
 */
export const tooLarge = (bytesMax: number) =>
  new Refusal('body_too_large', `Body exceeds ${bytesMax} bytes.`, { Connection: 'close' })

// Reads a stream of bytes into memory, up to a limit. It never rejects: how the stream ended is
// part of the result, because a request and a response draw different conclusions from it.

type StreamRead = {
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
