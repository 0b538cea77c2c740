// Reads a request body up to a size limit: an oversized body is rejected by its declared length
// before a byte is read, otherwise while it streams in.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from '../refusal.ts'

export const BODY_BYTES_MAX = 16 * 1024

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

export async function readBytes(request: IncomingMessage, response: ServerResponse, bytesMax: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax)
  if (request.headers.expect !== undefined && request.httpVersion === '1.1') response.writeContinue()
  return collect(request, bytesMax)
}

function collect(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const take = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= bytesMax) return void chunks.push(chunk)
      request.off('data', take).pause()
      reject(tooLarge(bytesMax))
    }
    // The connection broke, or the parser rejected the rest; socket-errors.io.ts responds to a
    // client that is still connected.
    const fail = () => {
      if (!request.readableEnded) reject(new Refusal('malformed_request', 'The request body was incomplete.'))
    }
    request
      .on('data', take)
      .on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, bytes)))
      .on('error', fail)
      .on('close', fail)
  })
}

/**
 * The rest stays unread; the connection is closed in a way that lets a client that is still sending
 * receive the response.
 */
const tooLarge = (bytesMax: number) =>
  new Refusal('body_too_large', `Body exceeds ${bytesMax} bytes.`, { Connection: 'close' })
