// Receives a body that is too large to be held in memory while it comes in: it is written to a temporary file, which
// has no name any more when its first byte is written, so that none is left behind however the process ends. It may
// take longer than other requests, as long as it keeps the pace.

import { createHash, randomUUID } from 'node:crypto'
import { open, unlink, type FileHandle } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '../refusal.ts'
import { askForBody, incomplete, tooLarge } from './body.io.ts'
import { isTooSlow, markedAt, type Mark, type Pacing } from '../load/arrival-pace.ts'
import { setOwnDeadline } from './socket-errors.io.ts'

export type ReceivedFile = {
  size: number
  /** SHA-256 of its bytes, in hexadecimal. */
  digest: string
  read(): Promise<Buffer>
  /** Deletes it. */
  close(): Promise<void>
}

const TOTAL_MS = 5 * 60_000

export type ReceiveOptions = {
  bytesMax: number
  /** Over which the pace is measured. */ windowMs: number
  pacing: Pacing
}

export async function receiveFile(
  request: IncomingMessage,
  response: ServerResponse,
  options: ReceiveOptions,
): Promise<ReceivedFile> {
  const { bytesMax, pacing } = options
  const path = join(tmpdir(), `petstore-upload-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  try {
    setOwnDeadline(response)
    askForBody(request, response)
    const { end, size, digest } = await writeTo(file, request, options)
    if (end === 'broken') throw incomplete()
    if (end === 'too_large') throw tooLarge(bytesMax)
    if (end === 'too_slow') throw ended(tooSlow(pacing.leastPace()))
    if (end === 'crowded_out') throw ended(CROWDED_OUT, { 'Retry-After': '2' })
    if (size === 0) throw new Refusal('missing_body', 'A body is required.')
    return { size, digest, read: () => bytesOf(file, size), close: () => file.close() }
  } catch (error) {
    await file.close()
    throw error
  }
}

const tooSlow = (bytesPerSecond: number) =>
  `Send at least ${Math.round(bytesPerSecond)} bytes per second, and all of it in 5 minutes.`
const CROWDED_OUT = 'Others needed the room for uploads, and this was the slowest of your account. Try again shortly.'

const ended = (message: string, headers: Readonly<Record<string, string>> = {}) =>
  new Refusal('request_timeout', message, { ...headers, Connection: 'close' })

type Written = { end: 'whole' | 'too_large' | 'too_slow' | 'crowded_out' | 'broken'; size: number; digest: string }

/** Paused while a chunk is written, so that at most one is in memory. It rejects only if writing fails. */
function writeTo(
  file: FileHandle,
  request: IncomingMessage,
  { bytesMax, windowMs, pacing }: ReceiveOptions,
): Promise<Written> {
  const { promise, resolve, reject } = Promise.withResolvers<Written>()
  const hash = createHash('sha256')
  const begun = performance.now()
  let size = 0
  let marks: Mark[] = [{ at: begun, bytes: 0 }]
  let written: Promise<unknown> = Promise.resolve()

  const settle = (end: Written['end']) => {
    clearInterval(timer)
    pacing.ended.removeEventListener('abort', makeRoom)
    request.off('data', take)
    if (end !== 'whole') request.pause()
    // Paused or not, a stream may end before its last chunk is written.
    written.then(() => resolve({ end, size, digest: end === 'whole' ? hash.digest('hex') : '' }), reject)
  }
  const take = (chunk: Buffer) => {
    size += chunk.length
    if (size > bytesMax) return settle('too_large')
    pacing.arrived(chunk.length)
    hash.update(chunk)
    request.pause()
    written = written.then(() => file.write(chunk))
    written.then(
      () => request.resume(),
      (error: Error) => {
        clearInterval(timer)
        reject(error)
      },
    )
  }
  const timer = setInterval(
    () => {
      const now = { at: performance.now(), bytes: size }
      const pace = { bytesPerSecond: pacing.leastPace(), windowMs, totalMs: TOTAL_MS }
      if (isTooSlow(begun, marks, now, pace)) settle('too_slow')
      else marks = markedAt(marks, now, pace)
    },
    Math.min(1000, windowMs / 4),
  )
  const makeRoom = () => settle('crowded_out')
  const breakOff = () => {
    if (!request.readableEnded) settle('broken')
  }
  pacing.ended.addEventListener('abort', makeRoom, { once: true })
  if (pacing.ended.aborted) makeRoom()
  // The listeners stay after the promise has settled: a late error has no other handler.
  request
    .on('data', take)
    .on('end', () => settle('whole'))
    .on('error', breakOff)
    .on('close', breakOff)
  return promise
}

async function bytesOf(file: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size)
  for (let at = 0; at < size;) {
    const { bytesRead } = await file.read(bytes, at, size - at, at)
    if (bytesRead === 0) throw new Error('a temporary file is shorter than what was written')
    at += bytesRead
  }
  return bytes
}
