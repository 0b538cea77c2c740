// `openDisk` persists what an edge must not lose in a restart: its copy of the host table and the
// time of its last contact with the control plane. (Certificates are in certificate-files.io.ts.)
// Routes are appended as they arrive, and are on the disk before the edge acknowledges them. Data
// damaged by a crash or by the disk is cut off at the first bad line: the edge then has less and
// continues from there. When more than half of the lines are outdated, the log is compacted into a
// new file next to the old one, in batches, while changes continue.
//
// Nothing here is secret. Every failure is reported and retried with the next change; it never
// stops an edge, which has everything in memory.

import { mkdir, open, readFile, rename, rm, truncate, writeFile, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as pause } from 'node:timers/promises'
import { MINUTE, type Clock, type Instant } from '../foundation/time.ts'
import type { Context } from '../foundation/context.ts'
import { createSharedCalls } from '../foundation/load/shared-calls.ts'
import { entryOf, lineOf, type LogEntry } from './decode-control.ts'
import type { HostTable } from './host-table.ts'

export type Disk = {
  /** Writes what the table has just applied, and resolves when it is on the disk. */
  keep(entries: readonly LogEntry[]): Promise<void>
  /** The table was emptied. */
  reset(): Promise<void>
  /** Which part of the host table this is; undefined before protocol 2. */
  readonly audience: string | undefined
  keepAudience(audience: string | undefined): Promise<void>
  /** The last contact with the control plane; undefined if there was none. */
  readonly contactAt: Instant | undefined
  contacted(): Promise<void>
  close(): Promise<void>
}

/** Below this the outdated lines cost less than compaction. */
const LINES_MIN = 1000
const LINES_AT_ONCE = 2000
const CONTACT_EVERY = MINUTE

/** `table` is filled from the disk, and is the source of the compacted log. */
export async function openDisk(
  { now, onError }: Pick<Context, 'now' | 'onError'>,
  directory: string,
  table: HostTable,
): Promise<Disk> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, 'routes.log')
  const contact = await openContact(join(directory, 'contact'), now)
  const audiencePath = join(directory, 'audience')
  let audience = (await readFile(audiencePath, 'utf8').catch(() => '')).trim() || undefined
  const { serialised } = createSharedCalls()
  let lines = await load(path, table)
  let log = await open(path, 'a', 0o600)
  let isDamaged = false
  /** During compaction: the lines appended since its start, which go into both files. */
  let since: string[] | undefined
  let rewriting: Promise<void> | undefined

  const append = (text: string, count: number) => {
    since?.push(text)
    return serialised('log', async () => {
      lines += count
      await log.appendFile(text)
      await log.datasync()
    }).catch((error: Error) => {
      // Lines after a partly written one cannot be read.
      isDamaged = true
      onError(error)
    })
  }
  const rewrite = async () => {
    since = []
    await rm(`${path}.new`, { force: true })
    const file = await open(`${path}.new`, 'a', 0o600)
    try {
      const written = await writeAll(file, table, table.seq)
      await serialised('log', async () => {
        const newer = since ?? []
        await file.appendFile(newer.join(''))
        await file.datasync()
        await rename(`${path}.new`, path)
        const old = log
        log = file
        isDamaged = false
        await old.close()
        // Otherwise the old file returns after a loss of power, without what was appended to this
        // one.
        await syncFolder(directory)
        lines = written + newer.reduce((count, text) => count + text.split('\n').length - 1, 0)
      })
    } finally {
      since = undefined
      if (log !== file) await file.close()
    }
  }
  return {
    get contactAt() {
      return contact.at
    },
    get audience() {
      return audience
    },
    async keepAudience(other) {
      audience = other
      await replaceFile(audiencePath, `${other ?? ''}\n`).catch(onError)
    },
    contacted: () => contact.renew().catch(onError),
    async keep(entries) {
      if (entries.length > 0) await append(entries.map(lineOf).join(''), entries.length)
      if (!isDamaged && (lines < LINES_MIN || lines <= 2 * table.size)) return
      rewriting ??= rewrite()
        .catch(onError)
        .finally(() => (rewriting = undefined))
    },
    async reset() {
      await rewriting
      await serialised('log', () => log.truncate(0)).catch(onError)
      lines = 0
    },
    async close() {
      await rewriting
      await serialised('log', () => log.close())
    },
  }
}

/** Writes everything up to a number, in batches; returns the number of lines. */
async function writeAll(file: FileHandle, table: HostTable, upTo: number): Promise<number> {
  let count = 0
  let lines: string[] = []
  const flush = async () => {
    await file.appendFile(lines.join(''))
    count += lines.length
    lines = []
    await pause()
  }
  for (const route of table.routes()) {
    // Newer ones come last, and go into the log as lines appended since.
    if (route.seq > upTo) break
    lines.push(lineOf(route))
    if (lines.length >= LINES_AT_ONCE) await flush()
  }
  // Deleted names have no line, yet their numbers are known.
  lines.push(lineOf({ seq: upTo }))
  await flush()
  return count
}

/** Fills the table from the log, and cuts off what cannot be read; returns the number of remaining lines. */
async function load(path: string, table: HostTable): Promise<number> {
  let [lines, goodBytes, isGood] = [0, 0, true]
  let rest: Buffer = Buffer.alloc(0)
  const take = (line: Buffer) => {
    const entry = entryOf(line.toString('utf8'))
    if (entry) apply(table, entry)
    return entry !== undefined
  }
  for await (const chunk of chunksOf(path)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let from = 0
    for (let to = bytes.indexOf(LINE_BREAK); to !== -1 && isGood; to = bytes.indexOf(LINE_BREAK, from)) {
      isGood = to - from <= LINE_BYTES_MAX && take(bytes.subarray(from, to))
      if (!isGood) break
      lines += 1
      from = to + 1
    }
    goodBytes += from
    rest = bytes.subarray(from)
    if (!isGood || rest.length > LINE_BYTES_MAX) break
  }
  await truncate(path, goodBytes).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  return lines
}

function apply(table: HostTable, entry: LogEntry): void {
  if ('hostname' in entry) table.apply(entry)
  else table.advance(entry.seq)
}

async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (file) for await (const chunk of file.createReadStream({ highWaterMark: CHUNK_BYTES })) yield chunk as Buffer
}

const LINE_BREAK = 0x0a
const LINE_BYTES_MAX = 4096
const CHUNK_BYTES = 1 << 20

/** The last contact with the control plane, stored once a minute: after a restart it is rather too long ago. */
async function openContact(path: string, now: Clock) {
  const stored = entryOf((await readFile(path, 'utf8').catch(() => '')).trimEnd())
  // After a clock was set back, it would count from the future.
  let at = stored === undefined ? undefined : Math.min(stored.seq, now())
  let keptAt = at
  return {
    get at() {
      return at
    },
    async renew(): Promise<void> {
      const moment = now()
      at = moment
      if (keptAt !== undefined && moment >= keptAt && moment - keptAt < CONTACT_EVERY) return
      keptAt = moment
      await replaceFile(path, lineOf({ seq: moment }))
    },
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Replaces a file atomically, both for readers and in case of a loss of power. */
export async function replaceFile(path: string, content: string | Buffer, fresh = `${path}.new`): Promise<void> {
  try {
    await writeFile(fresh, content, { mode: 0o600, flush: true })
    await rename(fresh, path)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
}
