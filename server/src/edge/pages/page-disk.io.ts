// `openPageDisk` stores pages on the disk of an edge, for visitors who come while the control plane
// is unreachable, even right after a restart of the edge.
// - Bounded in number and bytes: the page least recently written or used is evicted first.
// - A file is written under another name and renamed, and contains a digest of its content; one
//   that is damaged, truncated or foreign is ignored.
// - Pages are public, so they are not encrypted.
// - Visitors never wait for a write. Every failure is reported, and costs a copy.

import { hash } from 'node:crypto'
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../foundation/context.ts'
import { heldPage, pageHeaders, type CachedPage } from './page.ts'

export type PageDisk = {
  /** Written in the background; not at all if it is already there. */
  keep(key: string, page: CachedPage): void
  find(key: string): Promise<CachedPage | undefined>
  /** The page no longer exists. */
  forget(key: string): void
  /** Resolves when everything is written. */
  close(): Promise<void>
}

type Kept = { bytes: number; etag: string | undefined }
type Task = { key: string; page: CachedPage } | 'remove'

const COUNT_MAX = 20_000
const BYTES_MAX = 512 * 1024 * 1024
/** The maximum number and bytes of queued writes; under load some copies are skipped. */
const WAITING_MAX = 500
const WAITING_BYTES_MAX = 64 * 1024 * 1024

export async function openPageDisk(
  { onError }: Pick<Context, 'onError'>,
  directory: string,
  { countMax = COUNT_MAX, bytesMax = BYTES_MAX }: { countMax?: number; bytesMax?: number } = {},
): Promise<PageDisk> {
  const index = await readIndex(directory)
  let bytes = [...index.values()].reduce((sum, kept) => sum + kept.bytes, 0)
  const waiting = new Map<string, Task>()
  let waitingBytes = 0
  let working: Promise<void> | undefined

  const remove = async (name: string) => {
    bytes -= index.get(name)?.bytes ?? 0
    index.delete(name)
    await rm(join(directory, name), { force: true })
  }
  const write = async (name: string, text: Buffer, etag: string | undefined) => {
    const path = join(directory, name)
    await writeFile(`${path}.new`, text, { mode: 0o600 })
    await rename(`${path}.new`, path)
    bytes += text.length - (index.get(name)?.bytes ?? 0)
    index.delete(name)
    index.set(name, { bytes: text.length, etag })
  }
  const makeRoom = async () => {
    for (const oldest of index.keys()) {
      if (index.size <= countMax && bytes <= bytesMax) break
      await remove(oldest)
    }
  }
  const work = async () => {
    for (const [name, task] of waiting) {
      const done = task === 'remove' ? remove(name) : write(name, textOf(task.key, task.page), task.page.etag)
      await done.then(makeRoom).catch(onError)
      // A newer task may have been queued in the meantime.
      if (waiting.get(name) === task) settle(name)
    }
    // Synchronously after the last check, so that no task is left waiting.
    working = undefined
  }
  const settle = (name: string) => {
    waitingBytes -= bytesOf(waiting.get(name))
    waiting.delete(name)
  }
  const later = (name: string, task: Task) => {
    settle(name)
    waiting.set(name, task)
    waitingBytes += bytesOf(task)
    working ??= work()
  }
  await makeRoom().catch(onError)

  return {
    keep(key, page) {
      const name = nameOf(key)
      const queued = waiting.get(name)
      const known = queued === undefined ? index.get(name)?.etag : queued === 'remove' ? undefined : queued.page.etag
      if ((known !== undefined && known === page.etag) || waiting.size >= WAITING_MAX) return
      if (page.body.length > bytesMax || waitingBytes + page.body.length > WAITING_BYTES_MAX) return
      later(name, { key, page })
    },
    async find(key) {
      const name = nameOf(key)
      const queued = waiting.get(name)
      if (queued !== undefined) return queued === 'remove' ? undefined : queued.page
      const kept = index.get(name)
      if (!kept) return undefined
      // Used, so it is not the next to be evicted.
      index.delete(name)
      index.set(name, kept)
      const page = await readFile(join(directory, name)).then(
        (text) => pageIn(text, key),
        () => undefined,
      )
      if (!page) later(name, 'remove')
      return page
    },
    forget(key) {
      const name = nameOf(key)
      if (index.has(name) || waiting.has(name)) later(name, 'remove')
    },
    close: async () => working,
  }
}

const bytesOf = (task: Task | undefined) => (typeof task === 'object' ? task.page.body.length : 0)

const nameForm = /^[0-9a-f]{64}$/
const nameOf = (key: string) => hash('sha256', key)

/** The stored files, the oldest first; incomplete ones are removed. */
async function readIndex(directory: string): Promise<Map<string, Kept>> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const files: { name: string; bytes: number; at: number }[] = []
  for (const name of await readdir(directory)) {
    const path = join(directory, name)
    if (name.endsWith('.new')) await rm(path, { force: true })
    if (!nameForm.test(name)) continue
    const found = await stat(path).catch(() => undefined)
    if (found?.isFile()) files.push({ name, bytes: found.size, at: found.mtimeMs })
  }
  files.sort((one, other) => one.at - other.at)
  return new Map(files.map(({ name, bytes }) => [name, { bytes, etag: undefined }]))
}

const LINE_BREAK = 0x0a

/** A line with the digest of the rest, a line with status and headers, and the body. */
function textOf(key: string, { status, headers, body }: CachedPage): Buffer {
  const rest = Buffer.concat([Buffer.from(`${JSON.stringify({ key, status, heads: headers })}\n`), body])
  return Buffer.concat([Buffer.from(`${hash('sha256', rest)}\n`), rest])
}

function pageIn(text: Buffer, wanted: string): CachedPage | undefined {
  const digestEnd = text.indexOf(LINE_BREAK)
  const rest = text.subarray(digestEnd + 1)
  if (digestEnd === -1 || text.toString('latin1', 0, digestEnd) !== hash('sha256', rest)) return undefined
  const headEnd = rest.indexOf(LINE_BREAK)
  const head = JSON.parse(rest.toString('utf8', 0, headEnd)) as { key: string; status: number; heads: string[] }
  if (head.key !== wanted) return undefined
  return heldPage({ status: head.status, headers: pageHeaders(head.heads), body: rest.subarray(headEnd + 1) })
}
