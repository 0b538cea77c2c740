// Reads a request body up to a size limit: an oversized body is rejected by its declared length
// before a byte is read, otherwise while it streams in.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from '../refusal.ts'
import { readStream } from './read-stream.io.ts'

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
