// Uploads a file to the server, part by part. A part may be interrupted anywhere and sent
// again, so an interrupted upload continues with the part that did not arrive, and no
// more than a part is ever in memory.

import type { PART_BYTES_MAX } from '@petstore-platform/contract/platform/imports'
import { client } from '../api.ts'

const PART_BYTES: typeof PART_BYTES_MAX = 1_048_576

export type Upload = {
  project: string
  file: File
  /** Undefined until the server knows of it. */
  id: string | undefined
  partsSent: number
}

export const beginUpload = (project: string, file: File): Upload => ({ project, file, id: undefined, partsSent: 0 })

const partsOf = ({ file }: Upload) => Math.max(1, Math.ceil(file.size / PART_BYTES))
/** From 0 to 1. */
export const progressOf = (upload: Upload): number => upload.partsSent / partsOf(upload)

/** Sends the missing parts, and has the file read; returns the identifier of the import. Reports every step. */
export async function sendOn(upload: Upload, onStep: (upload: Upload) => void, signal: AbortSignal): Promise<string> {
  const { project, file } = upload
  const body = { onBadLine: 'skip', isReviewed: true, fileName: file.name } as const
  const id = upload.id ?? (await client.call('createImport', { project, body })).id
  const parts = partsOf(upload)
  let current = { ...upload, id }
  onStep(current)
  while (current.partsSent < parts) {
    signal.throwIfAborted()
    const from = current.partsSent * PART_BYTES
    const number = String(current.partsSent + 1)
    const part = file.slice(from, from + PART_BYTES, 'application/octet-stream')
    await client.call('putImportPart', { project, importId: id, number, body: part })
    current = { ...current, partsSent: current.partsSent + 1 }
    onStep(current)
  }
  signal.throwIfAborted()
  await client.call('readImport', { project, importId: id, body: { parts } })
  return id
}
