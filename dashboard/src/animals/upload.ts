// Uploads a file to the server, part by part. A part may be interrupted anywhere and sent
// again, so an interrupted upload continues with the part that did not arrive, and no
// more than a part is ever in memory.

import type { OnBadLine, PART_BYTES_MAX } from '@petstore-platform/contract/platform/imports'
import { client } from '../api.ts'

const PART_BYTES: typeof PART_BYTES_MAX = 1_048_576

export type Upload = {
  project: string
  file: File
  onBadLine: OnBadLine
  /** Undefined until the server knows of it. */
  id: string | undefined
  partsSent: number
}

export const beginUpload = (project: string, file: File, onBadLine: OnBadLine): Upload => ({
  project,
  file,
  onBadLine,
  id: undefined,
  partsSent: 0,
})

const partsOf = ({ file }: Upload) => Math.max(1, Math.ceil(file.size / PART_BYTES))
/** From 0 to 1. */
export const progressOf = (upload: Upload): number => upload.partsSent / partsOf(upload)

/** Sends the missing parts, and starts the import; returns its identifier. Reports every step. */
export async function sendOn(upload: Upload, onStep: (upload: Upload) => void, signal: AbortSignal): Promise<string> {
  const { project, file, onBadLine } = upload
  const id = upload.id ?? (await client.call('createImport', { project, body: { onBadLine } })).id
  const parts = partsOf(upload)
  let current = { ...upload, id }
  onStep(current)
  while (current.partsSent < parts) {
    signal.throwIfAborted()
    const from = current.partsSent * PART_BYTES
    const number = String(current.partsSent + 1)
    const body = file.slice(from, from + PART_BYTES, 'text/csv')
    await client.call('putImportPart', { project, importId: id, number, body })
    current = { ...current, partsSent: current.partsSent + 1 }
    onStep(current)
  }
  signal.throwIfAborted()
  await client.call('startImport', { project, importId: id, body: { parts } })
  return id
}
